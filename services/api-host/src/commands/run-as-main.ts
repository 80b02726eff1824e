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

/**
 * Runs a command as the program of this process, with the exit code that it returns. If it throws, its message is printed to standard
 * error, and the exit code is `failureCode`.
 */
export async function runAsMain(
  run: (command: OperatorCommand) => Promise<number>,
  failureCode: number,
): Promise<void> {
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  try {
    process.exitCode = await run({ argv: process.argv.slice(2), environment: processEnvironment(), say });
  } catch (thrown) {
    process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
    process.exitCode = failureCode;
  }
}
