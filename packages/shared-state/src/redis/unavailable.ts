import { ProblemError } from '@sluice/contract';

/**
 * What a caller is told while Redis does not answer, or knows too little to be asked. The cause is the message alone: errors of
 * ioredis carry the arguments of their command, and those of a failed AUTH are the password.
 */
export const unavailable = (cause: unknown): ProblemError =>
  new ProblemError(
    'service_unavailable',
    'The hosts cannot agree on running queries at the moment. Those that run go on; send this request again in a few seconds.',
    { cause: new Error(sentenceOf(cause)), retryAfterSeconds: 2 },
  );

export const sentenceOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));
