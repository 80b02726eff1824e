import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BENCH_HOME, prepareBenchHome } from '../bench-home.ts';
import type { Finding } from '../report.ts';
import { disturbance, runUndisturbed } from '../run-undisturbed.ts';
import { type SluiceProcess, startSluice } from '../sluice-process.ts';
import { median } from '../statistics.ts';

interface PythonOptions {
  readonly rounds: number;
  /** Rows of the results, each of which is measured. */
  readonly sizes: readonly number[];
  readonly print: (line: string) => void;
}

/** One result, in a Python process of its own. */
interface Run {
  readonly seconds: number;
  /** Growth of the largest resident set, in MiB. */
  readonly memory: number;
  readonly count: number;
}

/** A way out of the package, and the plain way that it is compared with. */
interface Pair {
  readonly own: string;
  readonly plain: string;
  readonly against: string;
  /** Largest result that is measured. */
  readonly rowsMax: number;
  readonly floor: number;
  readonly goal: number;
}

const PACKAGE = fileURLToPath(new URL('../../../python/', import.meta.url));
const PROGRAM = `${PACKAGE}bench/measure.py`;
const TOOLS = new URL('../../../../deploy/components/python-tools.mjs', import.meta.url).href;
const OUTPUT_BYTES_MAX = 1024 * 1024;
const IMPORTS = 7;
const IMPORT_FLOOR_MS = 150;
const IMPORT_GOAL_MS = 100;
const MEMORY_FLOOR = 1.3;
const MEMORY_GOAL = 1.1;

const FRAMES = { rowsMax: Number.POSITIVE_INFINITY, floor: 0.9, goal: 1 };
const PAIRS: readonly Pair[] = [
  { own: 'to_pandas', plain: 'plain_pandas', against: 'httpx and pyarrow without a check', ...FRAMES },
  { own: 'to_polars', plain: 'plain_polars', against: 'httpx and pyarrow without a check', ...FRAMES },
  {
    own: 'rows',
    plain: 'plain_rows',
    against: '`json.loads` of the raw stream',
    rowsMax: 1_000_000,
    floor: 0.5,
    goal: 0.8,
  },
];

interface PythonTools {
  readonly installPythonTools: (name: string, requirements: string) => string;
}

/** Runs programs of Python against one Sluice. */
class Python {
  readonly #program: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(programs: string, { apiUrl, streamUrl }: SluiceProcess) {
    this.#program = `${programs}/python`;
    this.#env = {
      PATH: '/usr/bin:/bin',
      // A home without profiles.
      HOME: BENCH_HOME,
      XDG_CONFIG_HOME: BENCH_HOME,
      PYTHONPATH: `${PACKAGE}src`,
      SLUICE_API_URL: apiUrl,
      SLUICE_STREAM_URL: streamUrl,
      SLUICE_TENANT: 'acme',
      SLUICE_EMAIL: 'analyst@acme.example',
      SLUICE_PASSWORD: 'sluice-demo',
    };
  }

  async #run(args: readonly string[]): Promise<string> {
    const options = { env: this.#env, maxBuffer: OUTPUT_BYTES_MAX };
    const { stdout } = await promisify(execFile)(this.#program, args, options);
    return stdout;
  }

  /** Measures one way to read a result. */
  async measure(way: string, rows: number): Promise<Run> {
    const run = JSON.parse(await this.#run([PROGRAM, '--way', way, '--rows', String(rows)])) as Run;
    if (run.count !== rows) throw new Error(`${way} returned ${run.count} of ${rows} rows.`);
    return run;
  }

  /** Milliseconds that the import of the package adds to the start of Python. */
  async importMs(): Promise<number> {
    const timeOf = async (source: string): Promise<number> => {
      const started = performance.now();
      await this.#run(['-c', source]);
      return performance.now() - started;
    };
    const both = [];
    for (let start = 0; start < IMPORTS; start += 1)
      both.push((await timeOf('import sluice_client')) - (await timeOf('pass')));
    return median(both);
  }
}

const millions = (rows: number): string => `${rows / 1_000_000} million rows`;

/** Compares a way out of the package with the plain way, in turns. */
async function comparePair(python: Python, pair: Pair, rows: number, rounds: number): Promise<readonly Finding[]> {
  const measured = await runUndisturbed(rounds, async () => ({
    own: await python.measure(pair.own, rows),
    plain: await python.measure(pair.plain, rows),
  }));
  const of = (way: 'own' | 'plain', figure: 'seconds' | 'memory'): number =>
    median(measured.results.map((result) => result[way][figure]));
  const seconds = { own: of('own', 'seconds'), plain: of('plain', 'seconds') };
  const memory = { own: of('own', 'memory'), plain: of('plain', 'memory') };
  const name = `Python: \`${pair.own}()\` of ${millions(rows)}`;
  const speed: Finding = {
    name: `${name}, speed of ${pair.against}`,
    measured: seconds.plain / seconds.own,
    unit: 'x',
    floor: pair.floor,
    goal: pair.goal,
    better: 'higher',
    detail: `${seconds.own.toFixed(2)} s against ${seconds.plain.toFixed(2)} s${disturbance(measured)}`,
  };
  if (pair.own === 'rows') return [speed];
  return [
    speed,
    {
      name: `${name}, memory of the plain way`,
      measured: memory.own / memory.plain,
      unit: 'x',
      floor: MEMORY_FLOOR,
      goal: MEMORY_GOAL,
      better: 'lower',
      detail: `${memory.own.toFixed(0)} MiB against ${memory.plain.toFixed(0)} MiB`,
    },
  ];
}

/** Measures dataframes and rows of the Python package against the same bytes without a proof, and its import. */
export async function measurePython({ rounds, sizes, print }: PythonOptions): Promise<readonly Finding[]> {
  const { installPythonTools } = (await import(TOOLS)) as PythonTools;
  const programs = installPythonTools('python-client', `${PACKAGE}requirements.txt`);
  // httpx imports `rich` where that is installed, as among the libraries of the tests.
  const alone = installPythonTools('python-client-short', `${PACKAGE}requirements-short.txt`);
  await prepareBenchHome();
  await using sluice = await startSluice(BENCH_HOME);
  const python = new Python(programs, sluice);
  print('Import ...');
  const importMs = await new Python(alone, sluice).importMs();
  const findings: Finding[] = [
    {
      name: 'Python: `import sluice_client`, over the start of Python alone',
      measured: importMs,
      unit: 'ms',
      floor: IMPORT_FLOOR_MS,
      goal: IMPORT_GOAL_MS,
      better: 'lower',
      detail: `median of ${IMPORTS}, before the client is used`,
    },
  ];
  for (const rows of sizes) {
    for (const pair of PAIRS) {
      if (rows > pair.rowsMax) continue;
      print(`${pair.own}, ${millions(rows)} ...`);
      findings.push(...(await comparePair(python, pair, rows, rounds)));
    }
  }
  return findings;
}
