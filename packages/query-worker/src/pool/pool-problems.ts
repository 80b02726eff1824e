import { ProblemError } from '@sluice/contract';

export const shuttingDown = (): ProblemError =>
  new ProblemError('server_shutdown', 'This server is stopping. Send the request again.', { retryAfterSeconds: 1 });

/** For the operator: with the cause, which the sentence for callers does not tell. */
export const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error && thrown.cause !== undefined ? `${thrown.message} ${String(thrown.cause)}` : String(thrown);

export const notStarted = (cause: unknown): ProblemError =>
  new ProblemError('engine_unavailable', 'The query could not be started. Try again in a moment.', { cause });
