import { createHash } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { createFormat, type FormatSpec } from '@sluice/encoders';
import type { Engine } from '@sluice/engine';
import { openEngine } from '@sluice/engine/open-engine';
import { writeStoredRows } from '@sluice/engine/stored-rows';
import {
  ChunkCipher,
  type Codec,
  newResultKey,
  type ResultBytes,
  type ResultIdentity,
  ResultReader,
  ResultWriter,
  rowsOfList,
} from '@sluice/result-store/form';
import { prepareBenchHome } from '../bench-home.ts';
import type { Finding } from '../report.ts';
import { median } from '../statistics.ts';
import { TABLES } from './scenario.ts';

const MIB = 1024 * 1024;
const PAGE_ROWS = 1_000;
const PAGES = 60;
const IDENTITY: ResultIdentity = {
  tenantId: '11111111-1111-4111-8111-111111111111',
  queryId: '22222222-2222-4222-8222-222222222222',
};

const hasZstd = typeof Reflect.get(zlib, 'zstdCompress') === 'function';
const CODECS: readonly Codec[] = hasZstd ? ['none', 'deflate', 'zstd'] : ['none', 'deflate'];
const PREFERRED: Codec = hasZstd ? 'zstd' : 'deflate';

type FormatName = Exclude<FormatSpec['name'], 'parquet'>;
const FORMATS: readonly FormatName[] = ['csv', 'json', 'ndjson', 'sse'];
/** Rows of the worksheet, which is slower than the other formats. */
const SHEET_ROWS = 100_000;

const formatOf = (name: FormatName) =>
  createFormat({ name, bigNumbers: 'number', formulas: 'keep', progress: 'hidden' });

interface KeptResultsOptions {
  readonly rounds: number;
  readonly print: (line: string) => void;
}

/** Cost of one run of a statement. Processor time is that of this process, with the threads of engine and compression. */
interface Run {
  readonly ms: number;
  readonly cpuSeconds: number;
  readonly bytes: number;
}

interface StoredRun extends Run {
  readonly file: string;
  readonly cipher: ChunkCipher;
  readonly storedBytes: number;
}

/**
 * Measures the stored form of kept results beside the stream that they are made from, in one process: what writing costs, how large it is,
 * how soon any page can be read, and whether each format from it has the bytes of the direct path.
 */
export async function keptResults({ rounds, print }: KeptResultsOptions): Promise<readonly Finding[]> {
  const database = await prepareBenchHome();
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-kept-'));
  try {
    await using engine = await openBenchEngine(database, folder);
    print(await compareCodecs(engine));
    const findings: Finding[] = [];
    for (const name of ['lineitem', 'flights'] as const) {
      print(`Measuring ${name} ...`);
      findings.push(...(await measureTable({ engine, folder, name, rounds, print })));
    }
    return findings;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const openBenchEngine = (database: string, tempFolder: string): Promise<Engine> =>
  openEngine(
    {
      key: 'bench',
      kind: 'duckdb',
      profile: {
        catalogs: [{ name: 'demo', path: database }],
        defaultCatalog: 'demo',
        defaultSchema: 'vega',
        readableFolders: [],
        memoryBytesMax: 1024 * MIB,
        threads: 2,
      },
    },
    {
      tempFolder,
      allocate: Buffer.allocUnsafeSlow,
      lendableFrames: 8,
      onProgress: () => undefined,
      onTables: () => undefined,
      onRemoteStatement: () => undefined,
    },
  );

interface TableOptions {
  readonly engine: Engine;
  readonly folder: string;
  readonly name: keyof typeof TABLES;
  readonly rounds: number;
  readonly print: (line: string) => void;
}

async function measureTable({ engine, folder, name, rounds, print }: TableOptions): Promise<readonly Finding[]> {
  const { sql, rows, columns } = TABLES[name];
  const direct: Run[] = [];
  const kept = new Map<Codec, StoredRun[]>(CODECS.map((codec) => [codec, []]));
  const twice: Run[] = [];
  const replayed: Run[] = [];
  for (let round = 0; round < rounds; round += 1) {
    direct.push(await runDirect(engine, sql, 'csv'));
    twice.push(await runDirect(engine, sql, 'csv', true));
    for (const codec of CODECS) {
      const run = await runKept(engine, sql, { codec, file: join(folder, `${name}-${codec}`) });
      kept.get(codec)?.push(run);
      if (codec === PREFERRED) replayed.push(await replayCsv(run));
    }
  }
  const preferred = kept.get(PREFERRED)?.at(-1) as StoredRun;
  for (const line of await compareFormats(engine, sql, { run: preferred, formats: FORMATS })) print(line);
  const sheetSql = `${sql} LIMIT ${SHEET_ROWS}`;
  const sheet = await runKept(engine, sheetSql, { codec: PREFERRED, file: join(folder, `${name}-sheet`) });
  for (const line of await compareFormats(engine, sheetSql, { run: sheet, formats: ['xlsx'] })) print(line);
  const pages = await measurePages(preferred, rows);
  const label = `${columns} columns`;
  const csvBytes = direct[0]?.bytes ?? 0;
  const of = (runs: readonly Run[]): string =>
    `${median(runs.map(({ ms }) => ms)).toFixed(0)} ms, CPU ${median(runs.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2)} s`;
  print(`  ${name}, not kept: ${of(direct)}`);
  print(`  ${name}, with a second set of rows: ${of(twice)}`);
  for (const [codec, runs] of kept) {
    const size = (runs[0]?.storedBytes ?? 0) / csvBytes;
    print(`  ${name}, ${codec}: ${of(runs)}, ${(size * 100).toFixed(1)} % of the CSV`);
  }
  const slowdown = ratioOf(kept.get(PREFERRED) ?? [], direct);
  return [
    finding(
      `CSV kept, ${label}, wall, × of not kept`,
      slowdown,
      '×',
      [4, 1.1],
      `${of(kept.get(PREFERRED) ?? [])} against ${of(direct)}, ${PREFERRED}`,
    ),
    finding(
      `kept size, ${label}, × of the CSV`,
      preferred.storedBytes / csvBytes,
      '×',
      [0.5, 0.33],
      `${(preferred.storedBytes / MIB).toFixed(1)} of ${(csvBytes / MIB).toFixed(1)} MiB`,
    ),
    finding(
      `CSV from the store, ${label}, wall, × of the engine`,
      ratioOf(replayed, direct),
      '×',
      [2.5, 1],
      `${of(replayed)} against ${of(direct)}`,
    ),
    finding(
      `any page of ${PAGE_ROWS} rows, ${label}`,
      median(pages),
      'ms',
      [50, 20],
      `median of ${pages.length}, longest ${Math.max(...pages).toFixed(1)}`,
    ),
  ];
}

const finding = (
  name: string,
  measured: number,
  unit: string,
  [floor, goal]: readonly [number, number],
  detail: string,
): Finding => ({ name, measured, unit, floor, goal, better: 'lower', detail });

const ratioOf = (runs: readonly Run[], base: readonly Run[]): number =>
  median(runs.map(({ ms }) => ms)) / median(base.map(({ ms }) => ms));

const statementOf = (sql: string) => ({
  sql,
  queryId: IDENTITY.queryId,
  user: 'bench@acme.example',
  timeZone: 'UTC',
});

/** Measures work by its wall time and the processor time of this process. */
async function measured<T>(
  work: () => Promise<T>,
): Promise<{ readonly ms: number; readonly cpuSeconds: number; readonly result: T }> {
  const cpuBefore = process.cpuUsage();
  const start = performance.now();
  const result = await work();
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { ms, cpuSeconds: (user + system) / 1e6, result };
}

/** Runs a statement and hashes its bytes, as a host does. */
async function hashDirect(
  engine: Engine,
  sql: string,
  name: FormatName,
  keepsRows = false,
): Promise<{ bytes: number; sha256: string }> {
  const format = formatOf(name);
  const hash = createHash('sha256');
  let bytes = 0;
  const statement = { ...statementOf(sql), keepsRows };
  const events = engine.run(statement, (columns) => format.row(columns), new AbortController().signal);
  for await (const event of events) {
    if (event.kind !== 'rows') continue;
    hash.update(event.bytes);
    bytes += event.bytes.byteLength;
    event.release?.();
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** `keepsRows`: the engine yields the rows in their stored form too, which nothing takes. */
async function runDirect(engine: Engine, sql: string, name: FormatName, keepsRows = false): Promise<Run> {
  const { ms, cpuSeconds, result } = await measured(() => hashDirect(engine, sql, name, keepsRows));
  return { ms, cpuSeconds, bytes: result.bytes };
}

async function runKept(
  engine: Engine,
  sql: string,
  { codec, file }: { readonly codec: Codec; readonly file: string },
): Promise<StoredRun> {
  const cipher = new ChunkCipher(newResultKey(), IDENTITY);
  const output = await open(file, 'w');
  let written: Promise<unknown> = Promise.resolve();
  let [bytes, storedBytes] = [0, 0];
  const { ms, cpuSeconds } = await measured(async () => {
    const format = formatOf('csv');
    const hash = createHash('sha256');
    let writer: ResultWriter | undefined;
    const statement = { ...statementOf(sql), keepsRows: true };
    for await (const event of engine.run(statement, (columns) => format.row(columns), new AbortController().signal)) {
      if (event.kind === 'columns') {
        const { columns, fileTypes = [] } = event;
        writer = new ResultWriter({
          cipher,
          codec,
          header: { columns, fileTypes, engine: 'duckdb', ranAtMs: 0, timeZone: 'UTC', sqlSha256: '' },
          emit: (sealed) => {
            storedBytes += sealed.byteLength;
            written = written.then(() => output.writeFile(sealed));
          },
        });
      } else if (event.kind === 'rows') {
        hash.update(event.bytes);
        bytes += event.bytes.byteLength;
        event.release?.();
      } else if (event.kind === 'stored rows') await writer?.add(event.rows, event.bytes);
      else await writer?.end(event.limited);
    }
    await written;
  });
  await output.close();
  return { ms, cpuSeconds, bytes, file, cipher, storedBytes };
}

interface OpenKept extends AsyncDisposable {
  readonly reader: ResultReader;
}

async function openKept({ file, cipher, storedBytes }: StoredRun): Promise<OpenKept> {
  const input = await open(file, 'r');
  const bytes: ResultBytes = {
    length: storedBytes,
    async read(start, end) {
      const buffer = Buffer.allocUnsafe(end - start);
      const { bytesRead } = await input.read(buffer, 0, buffer.byteLength, start);
      return buffer.subarray(0, bytesRead);
    },
  };
  return { reader: await ResultReader.open(bytes, cipher), [Symbol.asyncDispose]: () => input.close() };
}

async function* listsOf(reader: ResultReader): AsyncGenerator<Uint8Array> {
  for await (const { list } of reader.chunks()) yield list;
}

async function hashReplayed(run: StoredRun, name: FormatName): Promise<{ bytes: number; sha256: string }> {
  await using kept = await openKept(run);
  const { columns } = kept.reader.header;
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const event of writeStoredRows(listsOf(kept.reader), { columns, template: formatOf(name).row(columns) })) {
    hash.update(event.bytes);
    bytes += event.bytes.byteLength;
  }
  return { bytes, sha256: hash.digest('hex') };
}

async function replayCsv(run: StoredRun): Promise<Run> {
  const { ms, cpuSeconds, result } = await measured(() => hashReplayed(run, 'csv'));
  return { ms, cpuSeconds, bytes: result.bytes };
}

/** Compares the bytes of each format from the store with those of the direct path. Throws if any differ. */
async function compareFormats(
  engine: Engine,
  sql: string,
  { run, formats }: { readonly run: StoredRun; readonly formats: readonly FormatName[] },
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const name of formats) {
    const direct = await measured(() => hashDirect(engine, sql, name));
    const replayed = await measured(() => hashReplayed(run, name));
    if (direct.result.sha256 !== replayed.result.sha256) throw new Error(`${name} from the store differs: ${sql}`);
    lines.push(
      `  ${name}: equal bytes, ${direct.ms.toFixed(0)} ms direct, ${replayed.ms.toFixed(0)} ms from the store`,
    );
  }
  return lines;
}

/** Returns the times of pages anywhere in a result, each from a closed file to rows in JSON. */
async function measurePages(run: StoredRun, rows: number): Promise<readonly number[]> {
  const times: number[] = [];
  for (let page = 0; page < PAGES; page += 1) {
    const from = Math.floor(((page * 0.618_033_988_7) % 1) * (rows - PAGE_ROWS));
    const { ms } = await measured(async () => {
      await using kept = await openKept(run);
      const { columns } = kept.reader.header;
      const lists: Uint8Array[] = [];
      for await (const { firstRow, rows: count, list } of kept.reader.chunks({ from, to: from + PAGE_ROWS })) {
        const part = rowsOfList(list, Math.max(0, from - firstRow), Math.min(count, from + PAGE_ROWS - firstRow));
        lists.push(Buffer.concat([Buffer.from('['), part, Buffer.from(']')]));
      }
      const template = formatOf('json').row(columns);
      for await (const _ of writeStoredRows(lists, { columns, template, usesModule: false }));
    });
    times.push(ms);
  }
  return times;
}

/** Compresses chunks of rows with each codec of Node.js, on one thread at a time. */
async function compareCodecs(engine: Engine): Promise<string> {
  const chunks: Buffer[] = [];
  const statement = { ...statementOf(`${TABLES.lineitem.sql} LIMIT 100000`), keepsRows: true };
  for await (const event of engine.run(
    statement,
    (columns) => formatOf('csv').row(columns),
    new AbortController().signal,
  ))
    if (event.kind === 'stored rows') chunks.push(Buffer.from(event.bytes));
  const whole = Buffer.concat(chunks);
  const deflate = (level: number) => (bytes: Buffer) => promisify(zlib.deflateRaw)(bytes, { level });
  const brotli = (quality: number) => (bytes: Buffer) =>
    promisify(zlib.brotliCompress)(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: quality } });
  const zstdCompress: unknown = Reflect.get(zlib, 'zstdCompress');
  const zstd = (level: number) => (bytes: Buffer) =>
    promisify(zstdCompress as typeof zlib.brotliCompress)(bytes, { params: { 100: level } });
  const codecs: readonly (readonly [string, (bytes: Buffer) => Promise<Buffer>])[] = [
    ['deflate 1', deflate(1)],
    ['deflate 3', deflate(3)],
    ['deflate 6', deflate(6)],
    ['brotli 0', brotli(0)],
    ['brotli 1', brotli(1)],
    ['brotli 3', brotli(3)],
    ...(hasZstd
      ? ([
          ['zstd 1', zstd(1)],
          ['zstd 3', zstd(3)],
        ] as const)
      : []),
  ];
  const lines: string[] = [];
  for (const [name, compress] of codecs) {
    let size = 0;
    const { ms } = await measured(async () => {
      for (let from = 0; from < whole.byteLength; from += MIB)
        size += (await compress(whole.subarray(from, from + MIB))).byteLength;
    });
    const rate = whole.byteLength / MIB / (ms / 1_000);
    lines.push(`  ${name}: ${rate.toFixed(0)} MiB/s, ${((size / whole.byteLength) * 100).toFixed(1)} % of the rows`);
  }
  return ['Compression of stored rows of 16 columns, one thread:', ...lines].join('\n');
}
