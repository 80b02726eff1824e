import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { measureHttp, type Measured as SluiceRead } from '../measure.ts';
import type { Bar } from '../page/chart.ts';
import type { Finding } from '../report.ts';
import { type SluiceProcess, startSluice } from '../sluice-process.ts';
import { median } from '../statistics.ts';
import { measureReader, type Read } from './measure-reader.ts';
import { startTrino } from './start-trino.ts';

const PREPARE_CLI = fileURLToPath(new URL('../../../../deploy/components/trino-cli.mjs', import.meta.url));

interface TrinoCli {
  readonly java: string;
  readonly jar: string;
}

/** Finds Trino's CLI or fetches it from Maven Central. Returns undefined when it or Java is not available. */
async function findTrinoCli(): Promise<TrinoCli | undefined> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [PREPARE_CLI]);
    const cli = JSON.parse(stdout) as TrinoCli;
    return existsSync(cli.jar) ? cli : undefined;
  } catch {
    return undefined;
  }
}

/** Measures the CLI, which discards its CSV output. Includes the start of its JVM, since that is how it is used. */
async function measureCli({ java, jar }: TrinoCli, url: string, sql: string): Promise<number> {
  const start = performance.now();
  const args = ['-jar', jar, '--server', url, '--user', 'bench', '--output-format', 'CSV', '--execute', sql];
  const env = { PATH: `${dirname(java)}:/usr/bin:/bin`, HOME: join(dirname(jar), 'home') };
  const child = spawn(java, args, { stdio: ['ignore', 'pipe', 'ignore'], env });
  child.stdout.resume();
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`Trino's CLI ended with ${code}.`);
  return performance.now() - start;
}

const HOME = '.sluice-bench-trino';
const ROWS = 1_000_000;
const SQL = `SELECT * FROM tpch.sf1.lineitem LIMIT ${ROWS}`;
const FORMATS = { SSE: '/query', CSV: '/query/download/csv' } as const;
const READERS = ['raw', 'trino-client', 'engine-sse', 'engine-csv', 'parse-and-stringify'] as const;

interface TrinoBenchOptions {
  readonly rounds: number;
  readonly print: (line: string) => void;
}

export interface TrinoResults {
  readonly findings: readonly Finding[];
  /** Medians of each reader, in thousand rows a second, fastest first. */
  readonly bars: readonly Bar[];
}

/** Measurements, one entry per round. */
interface Measured {
  readonly reads: Readonly<Record<(typeof READERS)[number], Read[]>>;
  readonly sluice: Readonly<Record<keyof typeof FORMATS, SluiceRead[]>>;
  readonly cliMs: number[];
}

/** Compares Sluice with other readers of a million rows of 16 columns from Trino. Each reader runs once per round. */
export async function trinoResults({ rounds, print }: TrinoBenchOptions): Promise<TrinoResults> {
  print('Starting Trino ...');
  await using trino = await startTrino();
  const settings = { ENGINE_URL: trino.url, ENGINE_CATALOGS: 'tpch', ENGINE_SCHEMA: 'sf1' };
  await using sluice = await startSluice(HOME, settings);
  const cli = await findTrinoCli();
  if (cli === undefined) print('  Trino’s CLI or Java is not available; the CLI is not measured.');
  const measured: Measured = {
    reads: { raw: [], 'trino-client': [], 'engine-sse': [], 'engine-csv': [], 'parse-and-stringify': [] },
    sluice: { SSE: [], CSV: [] },
    cliMs: [],
  };
  print('Warming up ...');
  for (const path of Object.values(FORMATS)) await measureHttp(sluice, path, SQL);
  for (let round = 1; round <= rounds; round += 1) {
    await measureRound({ url: trino.url, sluice, cli, measured });
    print(`  round ${round}: ${lastOf(measured)}`);
  }
  return { findings: findingsOf(measured), bars: barsOf(measured) };
}

interface Round {
  readonly url: string;
  readonly sluice: SluiceProcess;
  readonly cli: TrinoCli | undefined;
  readonly measured: Measured;
}

async function measureRound({ url, sluice, cli, measured }: Round): Promise<void> {
  for (const name of Object.keys(FORMATS) as (keyof typeof FORMATS)[]) {
    // The raw reader runs before each format, so that changing conditions (heat, other machines) affect both.
    measured.reads.raw.push(await measureReader('raw', url, SQL));
    measured.sluice[name].push(await measureHttp(sluice, FORMATS[name], SQL));
  }
  for (const way of READERS.slice(1)) {
    const read = await measureReader(way, url, SQL);
    if (read.rows !== ROWS) throw new Error(`${way} read ${read.rows} rows instead of ${ROWS}.`);
    measured.reads[way].push(read);
  }
  if (cli !== undefined) measured.cliMs.push(await measureCli(cli, url, SQL));
}

const secondsOf = (ms: number | undefined): string => (ms === undefined ? '-' : `${(ms / 1000).toFixed(2)} s`);

const lastOf = ({ reads, sluice, cliMs }: Measured): string =>
  [
    `raw ${secondsOf(reads.raw.at(-2)?.ms)} and ${secondsOf(reads.raw.at(-1)?.ms)}`,
    `SSE ${secondsOf(sluice.SSE.at(-1)?.ms)}`,
    `CSV ${secondsOf(sluice.CSV.at(-1)?.ms)}`,
    `trino-client ${secondsOf(reads['trino-client'].at(-1)?.ms)}`,
    `CLI ${secondsOf(cliMs.at(-1))}`,
  ].join(', ');

function barsOf({ reads, sluice, cliMs }: Measured): readonly Bar[] {
  const barOf = (label: string, kind: Bar['kind'], note: string, ms: readonly number[]): Bar => ({
    label,
    kind,
    note,
    value: ROWS / median(ms),
  });
  const readOf = (way: (typeof READERS)[number]): readonly number[] => reads[way].map(({ ms }) => ms);
  const bars = [
    barOf('raw pages', 'limit', 'discarded unread', readOf('raw')),
    barOf(
      'Sluice, SSE',
      'sluice',
      'HTTP',
      sluice.SSE.map(({ ms }) => ms),
    ),
    barOf(
      'Sluice, CSV',
      'sluice',
      'HTTP',
      sluice.CSV.map(({ ms }) => ms),
    ),
    barOf('trino-client', 'peer', 'rows in a Node.js process', readOf('trino-client')),
    ...(cliMs.length === 0 ? [] : [barOf('Trino’s CLI', 'peer', 'CSV to a pipe', cliMs)]),
  ];
  return bars.sort((a, b) => b.value - a.value);
}

function findingsOf({ reads, sluice, cliMs }: Measured): readonly Finding[] {
  const msOf = (way: (typeof READERS)[number]): number => median(reads[way].map(({ ms }) => ms));
  const cpuOf = (way: (typeof READERS)[number]): number => median(reads[way].map(({ cpuSeconds }) => cpuSeconds));
  const ofCli = cliMs.length === 0 ? '' : `; Trino’s CLI ${secondsOf(median(cliMs))}`;
  const wallTimes = (Object.keys(FORMATS) as (keyof typeof FORMATS)[]).flatMap((name): Finding[] => {
    const ms = median(sluice[name].map((read) => read.ms));
    const cpu = median(sluice[name].map((read) => read.cpuSeconds));
    const against = (way: 'raw' | 'trino-client') => ({
      measured: ms / msOf(way),
      unit: '×',
      better: 'lower' as const,
      detail: `${secondsOf(ms)} against ${secondsOf(msOf(way))}; CPU ${cpu.toFixed(2)} s${ofCli}`,
    });
    return [
      { name: `Trino, ${name}, wall, × of raw pages`, floor: 1.15, goal: 1, ...against('raw') },
      { name: `Trino, ${name}, wall, × of trino-client`, floor: 0.7, goal: 0.6, ...against('trino-client') },
    ];
  });
  // Receiving the pages is part of both, and is not transcoding.
  const transcoding = (way: (typeof READERS)[number]): number => cpuOf(way) - cpuOf('raw');
  const cpuTimes = (['engine-sse', 'engine-csv'] as const).map(
    (way): Finding => ({
      name: `Trino, ${way === 'engine-sse' ? 'SSE' : 'CSV'}, CPU of transcoding, × of parse and stringify`,
      measured: transcoding(way) / transcoding('parse-and-stringify'),
      unit: '×',
      floor: 0.25,
      goal: 0.15,
      better: 'lower',
      detail: `${transcoding(way).toFixed(2)} against ${transcoding('parse-and-stringify').toFixed(2)} s`,
    }),
  );
  return [...wallTimes, ...cpuTimes];
}
