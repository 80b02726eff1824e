import { ProblemError } from '@sluice/contract';

/**
 * Creates the error for callers while Redis is unavailable or its data incomplete. The cause has the message only: errors of ioredis
 * carry the arguments of their command, and those of a failed AUTH contain the password.
 */
export const unavailable = (cause: unknown, message = LIMITS_UNKNOWN): ProblemError =>
  new ProblemError('service_unavailable', message, { cause: new Error(messageOf(cause)), retryAfterSeconds: 2 });

const LIMITS_UNKNOWN =
  'The limits on running queries cannot be checked at the moment. Running queries continue. Send this request again in a few seconds.';

export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
