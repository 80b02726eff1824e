import { ProblemError } from '@sluice/contract';

/** V8 and the C++ runtime end a process by these when an allocation fails under `RLIMIT_AS` (measured). */
const OUT_OF_MEMORY_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set(['SIGABRT', 'SIGTRAP']);
/** A process does not send these to itself by a fault. */
const OUTSIDE_SIGNALS: ReadonlySet<NodeJS.Signals> = new Set(['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']);

/** Explains why a worker that its host did not kill has died. */
export function deathProblem(signal: NodeJS.Signals | null, cause: Error): ProblemError {
  if (signal !== null && OUT_OF_MEMORY_SIGNALS.has(signal)) {
    return new ProblemError(
      'resource_limit',
      'The query was ended because it needed more memory than a query may use. Select fewer columns or rows, or aggregate in steps.',
      { cause },
    );
  }
  if (signal !== null && OUTSIDE_SIGNALS.has(signal)) {
    return new ProblemError(
      'engine_crashed',
      'The process that ran this query was killed from outside, perhaps by the system for lack of memory. Send the query again.',
      { cause },
    );
  }
  return new ProblemError('internal', 'The engine crashed on this query. The log has the details.', { cause });
}
