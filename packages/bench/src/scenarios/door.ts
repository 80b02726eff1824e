import { BENCH_HOME, prepareBenchHome } from '../bench-home.ts';
import { readQuery } from '../http-client.ts';
import { measureHttp } from '../measure.ts';
import { memoryOf } from '../process-tree.ts';
import type { Finding } from '../report.ts';
import { type SluiceProcess, startSluice } from '../sluice-process.ts';
import { median } from '../statistics.ts';
import { findJdbcDriver, type JdbcDriver, type JdbcTarget, measureJdbc } from '../trino/measure-jdbc.ts';
import { measureReader } from '../trino/measure-reader.ts';
import { type PageReader, readRawPages } from '../trino/raw-pages.ts';
import { startTrino } from '../trino/start-trino.ts';
import { measureColumns } from './door-columns.ts';

interface DoorOptions {
  readonly rounds: number;
  readonly print: (line: string) => void;
}

const MIB = 1024 * 1024;
const ROWS = 1_000_000;
const ANALYST: PageReader = { user: 'analyst@acme.example', password: 'sluice-demo' };
const DOOR = { TRINO_DOOR: 'true' };
/** Results of which a client has taken one page, as a grid that shows the first rows. */
const OPEN_RESULTS = 100;
const SMALL_READS = 40;
/** Readings of `SELECT 1 AS one` by JDBC in a round. */
const JDBC_READS = 200;

/** One million rows of five columns. */
const FLIGHTS = `SELECT * FROM flights LIMIT ${ROWS}`;
const SHIPMENTS = `SELECT l_orderkey, l_shipdate, l_quantity, l_shipmode, l_comment FROM tpch.sf1.lineitem LIMIT ${ROWS}`;

/** Times of each way to read a result, in ms, one for each round. */
interface Times {
  readonly query: number[];
  readonly door: number[];
  /** Trino itself. Empty on DuckDB. */
  readonly trino: number[];
}

interface Reads extends DoorOptions {
  readonly sluice: SluiceProcess;
  readonly sql: string;
  /** Address of the Trino behind it. */
  readonly trinoUrl?: string;
}

/** Reads the same rows by each way in turns. All are read by one process and discarded. */
async function readInTurns({ sluice, sql, trinoUrl, rounds, print }: Reads): Promise<Times> {
  const times: Times = { query: [], door: [], trino: [] };
  for (let round = 0; round <= rounds; round += 1) {
    const query = (await measureHttp(sluice, '/query', sql)).ms;
    const door = (await measureReader('raw', sluice.streamUrl, sql, ANALYST)).ms;
    const trino = trinoUrl === undefined ? undefined : (await measureReader('raw', trinoUrl, sql)).ms;
    // The first round compiles and fills caches.
    if (round === 0) continue;
    times.query.push(query);
    times.door.push(door);
    if (trino !== undefined) times.trino.push(trino);
    const ofTrino = trino === undefined ? '' : `, Trino ${trino.toFixed(0)} ms`;
    print(`  round ${round}: /query ${query.toFixed(0)} ms, door ${door.toFixed(0)} ms${ofTrino}`);
  }
  return times;
}

interface RatioInput {
  readonly name: string;
  readonly of: readonly number[];
  readonly to: readonly number[];
  readonly floor: number;
  readonly goal: number;
}

/** Rows a second of the door, as a share of those of another way. */
function shareOf({ name, of, to, floor, goal }: RatioInput): Finding {
  const [door, other] = [median(of), median(to)];
  const rateOf = (ms: number): string => `${(ROWS / ms / 1_000).toFixed(2)} M rows/s`;
  const detail = `${rateOf(door)} against ${rateOf(other)}`;
  return { name, measured: other / door, unit: '×', floor, goal, better: 'higher', detail };
}

/** Finds the driver, or says that it is not measured. */
async function jdbcDriver(print: DoorOptions['print']): Promise<JdbcDriver | undefined> {
  const driver = await findJdbcDriver();
  if (driver === undefined) print('  Java 17, Maven or the JDBC driver is not available; JDBC is not measured.');
  return driver;
}

/** The door, over TLS: the driver sends no password without it. */
const doorTarget = ({ streamTlsPort, certificatePath }: SluiceProcess): JdbcTarget => ({
  ...ANALYST,
  address: `localhost:${streamTlsPort}`,
  certificatePath,
});

/** Compares the driver on the door with the driver on Trino itself, in turns. */
async function jdbcOnTrino({
  sluice,
  sql,
  trinoUrl,
  rounds,
  print,
}: Reads & { readonly trinoUrl: string }): Promise<readonly Finding[]> {
  const driver = await jdbcDriver(print);
  if (driver === undefined) return [];
  const read = async (target: JdbcTarget): Promise<number> => {
    const { ms, rows } = await measureJdbc(driver, target, { sql });
    if (rows !== ROWS) throw new Error(`The JDBC driver read ${rows} rows instead of ${ROWS}.`);
    return ms;
  };
  const [door, trino]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round += 1) {
    door.push(await read(doorTarget(sluice)));
    trino.push(await read({ user: 'bench', address: new URL(trinoUrl).host }));
    print(`  round ${round}: JDBC on the door ${door.at(-1)?.toFixed(0)} ms, on Trino ${trino.at(-1)?.toFixed(0)} ms`);
  }
  const name = `Door, Trino, JDBC ${driver.version} over TLS, 1 M rows, share of JDBC on Trino`;
  return [shareOf({ name, of: door, to: trino, floor: 0.9, goal: 1 })];
}

/** Compares `SELECT 1 AS one` by the driver with the same by `/query`, in turns. */
async function jdbcOnDuckDb(
  sluice: SluiceProcess,
  driver: JdbcDriver,
  { rounds }: DoorOptions,
): Promise<readonly Finding[]> {
  const sql = 'SELECT 1 AS one';
  const [jdbc, query]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round += 1) {
    jdbc.push((await measureJdbc(driver, doorTarget(sluice), { sql, readings: JDBC_READS })).ms);
    const start = performance.now();
    for (let read = 0; read < JDBC_READS; read += 1) await readQuery({ sluice, path: '/query' }, { sql });
    query.push((performance.now() - start) / JDBC_READS);
  }
  return [
    {
      name: `Door, DuckDB, SELECT 1 AS one by JDBC ${driver.version} over TLS, × of /query`,
      measured: median(jdbc) / median(query),
      unit: '×',
      floor: 3,
      goal: 2,
      better: 'lower',
      detail: `${median(jdbc).toFixed(1)} against ${median(query).toFixed(1)} ms`,
    },
  ];
}

/** Time until the first page with rows, after which the result is given up. */
async function firstRowsByDoor(url: string, sql: string): Promise<number> {
  const start = performance.now();
  for await (const { bytes } of readRawPages(url, sql, ANALYST)) {
    if (bytes.includes('"data":[')) return performance.now() - start;
  }
  return performance.now() - start;
}

async function firstRowsByQuery(sluice: SluiceProcess, sql: string): Promise<number> {
  const start = performance.now();
  const { firstByteAt } = await readQuery({ sluice, path: '/query' }, { sql });
  return firstByteAt - start;
}

/** Compares small reads one after the other: their wait is that of an interactive tool. */
async function compareSmall(sluice: SluiceProcess, sql: string): Promise<{ door: number; query: number }> {
  const [door, query]: [number[], number[]] = [[], []];
  for (let read = 0; read < SMALL_READS; read += 1) {
    door.push(await firstRowsByDoor(sluice.streamUrl, sql));
    query.push(await firstRowsByQuery(sluice, sql));
  }
  return { door: median(door.slice(SMALL_READS / 4)), query: median(query.slice(SMALL_READS / 4)) };
}

async function measureSmall(sluice: SluiceProcess): Promise<readonly Finding[]> {
  const one = await compareSmall(sluice, 'SELECT 1 AS one');
  const first = await compareSmall(sluice, `${FLIGHTS.replace(String(ROWS), '50000')}`);
  const detailOf = ({ door, query }: typeof one): string => `${door.toFixed(1)} against ${query.toFixed(1)} ms`;
  return [
    {
      name: 'Door, DuckDB, SELECT 1 AS one, × of /query',
      measured: one.door / one.query,
      unit: '×',
      floor: 3,
      goal: 2,
      better: 'lower',
      detail: detailOf(one),
    },
    {
      name: 'Door, DuckDB, first page, × of the first row of /query',
      measured: first.door / first.query,
      unit: '×',
      floor: 1.5,
      goal: 1.2,
      better: 'lower',
      detail: detailOf(first),
    },
  ];
}

/** Takes the first page with rows of many results, and measures the host while they stay open. */
async function measureOpenResults(sluice: SluiceProcess): Promise<Finding> {
  const takePage = async (): Promise<AsyncDisposable> => {
    const pages = readRawPages(sluice.streamUrl, FLIGHTS, ANALYST);
    for (;;) {
      const { value, done } = await pages.next();
      if (done === true || value.bytes.includes('"data":[')) break;
    }
    return { [Symbol.asyncDispose]: async () => void (await pages.return(undefined)) };
  };
  await (await takePage())[Symbol.asyncDispose]();
  const before = memoryOf(sluice.pid).residentBytes;
  const open: AsyncDisposable[] = [];
  for (let result = 0; result < OPEN_RESULTS; result += 1) open.push(await takePage());
  const growth = (memoryOf(sluice.pid).residentBytes - before) / MIB;
  for (const result of open) await result[Symbol.asyncDispose]();
  return {
    name: `Door, DuckDB, host memory of ${OPEN_RESULTS} open results`,
    measured: growth,
    unit: 'MiB',
    floor: 32,
    goal: 16,
    better: 'lower',
    detail: `${(growth / OPEN_RESULTS).toFixed(2)} MiB each`,
  };
}

/** Compares pages of the Trino door on DuckDB with `POST /query` on the same statement. */
async function doorOnDuckDb(options: DoorOptions): Promise<readonly Finding[]> {
  await prepareBenchHome();
  const driver = await jdbcDriver(options.print);
  const findings = await resultsOnDuckDb(driver, options);
  if (driver === undefined) return findings;
  options.print('Measuring getColumns ...');
  return [...findings, ...(await measureColumns({ driver, account: ANALYST, ...options }))];
}

async function resultsOnDuckDb(driver: JdbcDriver | undefined, options: DoorOptions): Promise<readonly Finding[]> {
  await using sluice = await startSluice(BENCH_HOME, DOOR);
  const { query, door } = await readInTurns({ sluice, sql: FLIGHTS, ...options });
  const name = 'Door, DuckDB, pages of 1 M rows, share of /query';
  return [
    shareOf({ name, of: door, to: query, floor: 0.5, goal: 0.6 }),
    ...(await measureSmall(sluice)),
    ...(driver === undefined ? [] : await jdbcOnDuckDb(sluice, driver, options)),
    await measureOpenResults(sluice),
  ];
}

/** Compares pages of the door on Trino with `POST /query` and with the pages of Trino itself. */
async function doorOnTrino({ rounds, print }: DoorOptions): Promise<readonly Finding[]> {
  print('Starting Trino ...');
  await using trino = await startTrino();
  const settings = { ...DOOR, ENGINE_URL: trino.url, ENGINE_CATALOGS: 'tpch', ENGINE_SCHEMA: 'sf1' };
  await using sluice = await startSluice('.sluice-bench-trino', settings);
  const reads = { sluice, sql: SHIPMENTS, trinoUrl: trino.url, rounds, print };
  const times = await readInTurns(reads);
  const { query, door, trino: direct } = times;
  return [
    shareOf({ name: 'Door, Trino, pages of 1 M rows, share of /query', of: door, to: query, floor: 0.8, goal: 0.9 }),
    shareOf({ name: 'Door, Trino, pages of 1 M rows, share of Trino', of: door, to: direct, floor: 0.8, goal: 0.9 }),
    ...(await jdbcOnTrino(reads)),
  ];
}

/** Measures the Trino door on one engine: pages that are read raw and by JDBC, small reads, the memory of results that stay open, `getColumns`. */
export const measureDoor = (engine: 'duckdb' | 'trino', options: DoorOptions): Promise<readonly Finding[]> =>
  engine === 'trino' ? doorOnTrino(options) : doorOnDuckDb(options);
