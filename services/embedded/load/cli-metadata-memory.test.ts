import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import { type ImportHost, SEED_PASSWORD, startImportHost } from '@sluice/testkit/fixtures';
import { runSluice } from '../tests/cli/run-command.ts';

const MB = 1_000_000;
const FEW = 1000;
const MANY = shortOrLong(20_000, 100_000);
/** Node.js collects garbage late: without limits, memory says little about what a command needs. */
const HEAP_LIMITS = '--max-old-space-size=32 --max-semi-space-size=1';
const GROWTH_MAX = 25 * MB;
const SAMPLE_MS = 20;

let host: ImportHost;
let folder: string;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  host = await startImportHost(MANY);
  folder = await mkdtemp(join(tmpdir(), 'sluice-cli-memory-'));
  env = {
    HOME: folder,
    PATH: '/usr/bin:/bin',
    NODE_OPTIONS: HEAP_LIMITS,
    SLUICE_API_URL: host.child.url,
    SLUICE_STREAM_URL: host.child.url,
    SLUICE_TENANT: 'acme',
    SLUICE_EMAIL: host.steward.email,
    SLUICE_PASSWORD: SEED_PASSWORD,
  };
}, 300_000);
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Samples the largest resident memory of a process until it ends. */
function watchMemory(child: ChildProcess): () => number {
  let peak = 0;
  const timer = setInterval(() => {
    void readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => {
        peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024);
      },
      () => undefined,
    );
  }, SAMPLE_MS);
  child.once('close', () => clearInterval(timer));
  return () => peak;
}

/** Runs a command that must succeed, and returns its peak memory. */
async function measure(objects: number, ...words: string[]): Promise<number> {
  let peakOf = (): number => 0;
  const startedAt = performance.now();
  const run = await runSluice(words, {
    env,
    cwd: folder,
    onStart: (child) => {
      peakOf = watchMemory(child);
    },
  });
  expect({ words, exitCode: run.exitCode, stderr: run.exitCode === 0 ? '' : run.stderr }).toEqual({
    words,
    exitCode: 0,
    stderr: '',
  });
  const seconds = (performance.now() - startedAt) / 1000;
  process.stdout.write(
    `sluice ${words.join(' ')}: ${objects} objects in ${seconds.toFixed(1)} s (${Math.round(objects / seconds)}/s), peak ${(peakOf() / MB).toFixed(1)} MB\n`,
  );
  return peakOf();
}

const csv = (count: number, text: string): string => {
  const rows = Array.from({ length: count }, (_, number) =>
    [
      `TABLE;demo.vega.t${number};;;${text} ${number}, described in a sentence of usual length;"one;two";`,
      `TABLE;demo.vega.t${number};c;;column ${number};;`,
    ].join('\n'),
  );
  return `${['type;id;field;display_name;description;tags;domains', ...rows].join('\n')}\n`;
};

/** Imports and exports this many objects in all formats, and returns the peak memory of each command. */
async function runAll(count: number, prefix: string): Promise<Readonly<Record<string, number>>> {
  const peaks: Record<string, number> = {};
  await writeFile(join(folder, `${count}.csv`), csv(count, prefix));
  peaks['import CSV'] = await measure(count, 'import', `${count}.csv`);
  for (const format of ['yaml', 'json', 'csv']) {
    const file = `export-${count}.${format}`;
    peaks[`export ${format}`] = await measure(count, 'export', '--prefix', 'demo.vega.t', '-o', file);
  }
  peaks['import YAML'] = await measure(
    count,
    'import',
    `export-${count}.yaml`,
    '--dry-run',
    '--report',
    `${count}.ndjson`,
  );
  return peaks;
}

it('imports, exports and reports in memory that does not grow with the number of objects', async () => {
  const few = await runAll(FEW, 'first');
  const many = await runAll(MANY, 'second');
  const grown = Object.entries(many).filter(([name, peak]) => peak - (few[name] ?? 0) > GROWTH_MAX);
  expect(grown).toEqual([]);
}, 900_000);
