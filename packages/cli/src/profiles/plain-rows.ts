import type { Middleware } from '@sluice/client';

/**
 * Requests the rows of queries without compression. The fetch of Node.js 20 decompresses a body as fast as it arrives, whether it is read
 * or not: 12 million rows that were printed slower than they arrived took 190 MB of buffers, and without compression 2 MB. The host
 * then also sends them in half the time.
 */
export const plainRows: Middleware = (request, next) => {
  if (request.operation === 'streamQuery') request.headers.set('accept-encoding', 'identity');
  return next();
};
