import { ResponseError } from '@sluice/client';
import { CommandError } from '../errors.ts';

/** Violation in a file of the user. The message begins with its position. */
export class FileFault extends CommandError {
  constructor(line: number, column: number | undefined, what: string) {
    super(`${column === undefined ? `line ${line}` : `line ${line}, column ${column}`}: ${what}`);
  }
}

/** A file whose violations are listed, one a line. Nothing of it was used. */
export function invalidFile(name: string, violations: readonly string[]): CommandError {
  const [first = '', ...more] = violations;
  const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
  if (more.length === 0) return new CommandError(`${name}, ${sentence(first)} Nothing was changed.`);
  const list = violations.map((violation) => `  ${violation.replaceAll('\n', '\n    ')}`);
  return new CommandError(
    [
      `${name} has ${violations.length} mistakes. Nothing was changed.`,
      ...list,
      'Correct them and run the command again.',
    ].join('\n'),
  );
}

/** Mistake that concerns the whole file has this path in the response of the host. */
const WHOLE_FILE = 'file';

/** Returns the error of a file with its name: the host lists violations by their lines only. Other errors are returned as they are. */
export function asFileError(name: string, error: unknown): unknown {
  if (error instanceof FileFault) return invalidFile(name, [error.message]);
  if (!(error instanceof ResponseError) || error.code !== 'invalid_request' || error.details.length === 0) return error;
  const [first] = error.details;
  if (first?.path === WHOLE_FILE) return new CommandError(`${name} ${first.message}. Nothing was changed.`);
  return invalidFile(
    name,
    error.details.map(({ path, message }) => `${path}: ${message}`),
  );
}
