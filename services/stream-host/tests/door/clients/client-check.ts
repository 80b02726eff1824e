import { execFile } from 'node:child_process';
import type { ClientTarget } from './client-target.ts';

/** One thing that a client did. A program prints it as a line of JSON. */
export interface ClientCheck {
  /** Names it: no two checks of a client have the same one. */
  readonly check: string;
  /** Whether it ran to its end. An error that the check provokes is a value. */
  readonly ok: boolean;
  /** Result, the same in each run on the same server: it has no times and no ids. The message of the failure otherwise. */
  readonly value: unknown;
}

/** Ends a program that hangs. Each takes a minute at most. */
const HANG_MS = 480_000;
const OUTPUT_BYTES_MAX = 2 ** 26;

export interface ProgramEnd {
  /** Exit code, or the name of the signal that ended it. */
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

interface ProgramInput {
  /** Default: none. */
  readonly input?: string | undefined;
  /** Gets what the program prints, as it prints it. */
  readonly onOutput?: (text: string) => void;
}

/** Runs a program to its end. Rejects if it cannot be started. */
export const runProgram = (
  [file = '', ...args]: readonly string[],
  environment: Readonly<Record<string, string>>,
  { input = '', onOutput }: ProgramInput = {},
): Promise<ProgramEnd> =>
  new Promise((resolve, reject) => {
    const options = { env: environment, timeout: HANG_MS, killSignal: 'SIGKILL', maxBuffer: OUTPUT_BYTES_MAX } as const;
    const child = execFile(file, args, options, (error, stdout, stderr) => {
      if (error !== null && typeof error.code === 'string') reject(error);
      else resolve({ code: error?.signal ?? Number(error?.code ?? 0), stdout, stderr });
    });
    if (onOutput !== undefined) child.stdout?.on('data', onOutput);
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });

/** Reads the lines of a program. Throws with the end of its messages if it failed outside its checks. */
export function readChecks(name: string, { code, stdout, stderr }: ProgramEnd): readonly ClientCheck[] {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{"check":'));
  if (code !== 0) throw new Error(`${name} ended with ${code} after ${lines.length} checks: ${stderr.slice(-2_000)}`);
  return lines.map((line) => JSON.parse(line) as ClientCheck);
}

/** Runs a check in this process. */
export async function checkOf(check: string, work: () => Promise<unknown>): Promise<ClientCheck> {
  try {
    return { check, ok: true, value: await work() };
  } catch (error) {
    return { check, ok: false, value: String(error) };
  }
}

/** A random UUID, which is how the door names requests. */
const REQUEST_ID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
/** Time of a response (RFC 9110, section 5.6.7). */
const HTTP_DATE = /[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT/g;

/** Schema that test hosts make in Trino for themselves. */
const HOST_SCHEMA = /\bsluice_[0-9a-f]{8}\b/g;

/**
 * Replaces what differs between runs and servers: the user, ids of requests and times of responses in messages, a schema of the hosts, and the name of the
 * catalog, because DuckDB cannot have one of the name `memory`.
 */
export const withoutRun = (checks: readonly ClientCheck[], { catalog, user }: ClientTarget): readonly ClientCheck[] =>
  JSON.parse(
    JSON.stringify(checks)
      .replaceAll(catalog, '{catalog}')
      .replaceAll(user, '{user}')
      .replaceAll(HOST_SCHEMA, '{schema of the hosts}')
      .replaceAll(REQUEST_ID, '{request id}')
      .replaceAll(HTTP_DATE, '{date}'),
  ) as readonly ClientCheck[];
