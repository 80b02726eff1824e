import { runProgram } from './client-check.ts';
import { NUMBERS } from './client-tables.ts';

/** Counts of a result that a client read to its end, or its failure. Never both. */
export type ReadOutcome =
  | { readonly rows: number; readonly sum: number; readonly squares: number }
  | { readonly failure: string };

/** About 22 pages of 1 MiB. */
export const WIDE_SQL = "SELECT n, rpad(CAST(n AS varchar), 100, 'x') AS filler FROM numbers";

const MODULUS = 1_000_003;
/** Counts of every whole read of `WIDE_SQL`. */
export const WHOLE: ReadOutcome = {
  rows: NUMBERS,
  sum: (NUMBERS * (NUMBERS - 1)) / 2,
  squares: Array.from({ length: NUMBERS }, (_, n) => n).reduce((sum, n) => (sum + n * n) % MODULUS, 0),
};

/** Counts rows that a client prints itself, as lines of CSV that begin with the number. */
export function countLines(stdout: string): ReadOutcome {
  const counted = { rows: 0, sum: 0, squares: 0 };
  for (const line of stdout.split('\n').slice(0, -1)) {
    const n = Number(/^"?(\d+)"?,/.exec(line)?.[1]);
    counted.rows += 1;
    counted.sum += n;
    counted.squares = (counted.squares + n * n) % MODULUS;
  }
  return counted;
}

const FAILURE_CHARACTERS = 300;

interface Reading {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Statement for stdin. */
  readonly sql?: string;
  /** Default: the output is the outcome in JSON. */
  readonly count?: (stdout: string) => ReadOutcome;
}

/** Runs a program that reads a result to its end. A client that fails has an exit code other than 0. */
export async function readBy({ command, environment, sql = '', count = JSON.parse }: Reading): Promise<ReadOutcome> {
  const { code, stdout, stderr } = await runProgram(command, environment, { input: sql });
  return code === 0 ? count(stdout) : { failure: `${code}: ${stderr.trim().slice(-FAILURE_CHARACTERS)}` };
}
