import { IncompleteResultError, ResponseError } from '@sluice/client';
import { CancelledError, MismatchError, NotLoggedInError, OutputClosedError, UsageError } from './errors.ts';

/** Every exit code of `sluice`. Help and docs/cli.md are made from this table. */
export const EXIT_CODES = [
  { code: 0, meaning: 'The command did what it was asked to.' },
  { code: 1, meaning: 'It failed. The message on stderr says why.' },
  { code: 2, meaning: 'The command line is wrong: an unknown command or option, or a missing or invalid value.' },
  {
    code: 3,
    meaning: 'The result is incomplete: it was cut, or does not match its receipt. Nothing that looks whole was left.',
  },
  { code: 4, meaning: 'Not logged in, or the login has expired. Run `sluice login`.' },
  { code: 130, meaning: 'Cancelled by Ctrl-C or a signal.' },
  {
    code: 141,
    meaning: 'The reader of the output closed it, such as `head`. The query is stopped, and there is no message.',
  },
] as const;

export type ExitCode = (typeof EXIT_CODES)[number]['code'];

/** Returns the exit code for what a command threw. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof UsageError) return 2;
  if (error instanceof IncompleteResultError || error instanceof MismatchError) return 3;
  if (error instanceof NotLoggedInError) return 4;
  if (error instanceof ResponseError && error.status === 401) return 4;
  if (error instanceof CancelledError) return 130;
  // What shells report for a program that SIGPIPE ends. Node.js ignores that signal.
  if (error instanceof OutputClosedError) return 141;
  return 1;
}
