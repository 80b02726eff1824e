import { ProblemError } from '@sluice/contract/problems';

/** Signals by which V8 and the C++ runtime end a process when an allocation fails under `RLIMIT_AS` (measured). */
const OUT_OF_MEMORY_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set(['SIGABRT', 'SIGTRAP']);
/** Signals that come from outside: a process does not send them to itself on a fault. */
const OUTSIDE_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

export const notStarted = (cause: unknown): ProblemError =>
  new ProblemError('engine_unavailable', 'The query could not be started. Try again in a moment.', { cause });

/** Checks whether a process was killed by another one, which says nothing about the statement that it ran. */
export const isKilledFromOutside = (signal: NodeJS.Signals | null): boolean =>
  signal !== null && OUTSIDE_SIGNALS.has(signal);

/** Explains the end of a worker that its host did not kill. */
export function exitProblem(signal: NodeJS.Signals | null, cause: Error): ProblemError {
  if (signal !== null && OUT_OF_MEMORY_SIGNALS.has(signal)) {
    return new ProblemError(
      'resource_limit',
      'The query needed more memory than a query may use. Select fewer columns or rows, or aggregate in steps.',
      { cause },
    );
  }
  if (isKilledFromOutside(signal)) {
    return new ProblemError(
      'engine_crashed',
      'The process that ran this query was killed from outside, perhaps by the operating system for lack of memory. Send the query again.',
      { cause },
    );
  }
  return new ProblemError('internal', 'The engine crashed on this query. The server log has the details.', { cause });
}
