import { ProblemError } from '@sluice/contract/problems';

export const shuttingDown = (): ProblemError =>
  new ProblemError('server_shutdown', 'This server is stopping. Send the request again.', { retryAfterSeconds: 1 });

/** Describes a failure for the operator, with the cause that callers do not see. */
export const reasonOf = (thrown: unknown): string =>
  thrown instanceof Error && thrown.cause !== undefined ? `${thrown.message} ${String(thrown.cause)}` : String(thrown);
