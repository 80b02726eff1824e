import { fstatSync, writeFileSync } from 'node:fs';
import type { Environment } from '@sluice/config';
import { processEnvironment } from '../config.ts';

/** Arguments, environment and output of one of the operator's commands. */
export interface OperatorCommand {
  /** The words after the name of the program. */
  readonly argv: readonly string[];
  readonly environment: Environment;
  /** Prints a line. */
  readonly say: (line: string) => void;
}

/** One of the operator's programs. */
export interface OperatorProgram {
  /** Returns the exit code. Throws an error whose message is for the operator. */
  readonly run: (command: OperatorCommand) => Promise<number>;
  /** Exit code if `run` throws. */
  readonly failureCode: number;
}

/** Runs a program and returns its exit code. If it throws, its message is given to `warn`. */
export async function runOperatorProgram(
  { run, failureCode }: OperatorProgram,
  { warn, ...command }: OperatorCommand & { readonly warn: (line: string) => void },
): Promise<number> {
  try {
    return await run(command);
  } catch (thrown) {
    warn(thrown instanceof Error ? thrown.message : String(thrown));
    return failureCode;
  }
}

/**
 * Prints a line on stdout. The stream of Node.js that writes to a file ignores how many bytes were written: on a disk that is almost full a
 * part would be lost without an error.
 */
function print(line: string): void {
  const { fd } = process.stdout;
  if (fstatSync(fd).isFile()) writeFileSync(fd, `${line}\n`);
  else process.stdout.write(`${line}\n`);
}

/** Runs a program as that of this process. */
export async function runAsMain(program: OperatorProgram): Promise<void> {
  process.exitCode = await runOperatorProgram(program, {
    argv: process.argv.slice(2),
    environment: processEnvironment(),
    say: print,
    warn: (line) => void process.stderr.write(`${line}\n`),
  });
}
