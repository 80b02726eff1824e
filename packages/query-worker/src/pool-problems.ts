import { ProblemError } from '@sluice/contract';

export const busy = (): ProblemError =>
  new ProblemError('too_many_requests', 'All query workers are busy. Try again when another query has ended.', {
    retryAfterSeconds: 5,
  });

export const shuttingDown = (): ProblemError =>
  new ProblemError('server_shutdown', 'This server is stopping. Send the request again.', { retryAfterSeconds: 1 });
