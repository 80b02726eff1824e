import { ProblemError } from '@sluice/contract';

/** What the guard says of a statement that must not run. */
export const refused = (what: string): ProblemError =>
  new ProblemError('read_only', `Only one statement that reads can be run: ${what}.`);
