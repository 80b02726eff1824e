import type { ServerResponse } from 'node:http';

/** Time for which the first bytes of a body may wait for more: too short to be noticed, long enough for a small query. */
const WAIT_MS = 10;
/** More bytes than this are written at once. */
const BYTES_MAX = 64 * 1024;

/** Start of a response, which is written in one system call. */
export interface CorkedStart {
  /** Counts bytes of the body that were written to the response. */
  add(bytes: number): void;
  /** Writes what was collected. */
  flush(): void;
}

/**
 * Collects the head of a response and the start of its body until `WAIT_MS` have passed, `BYTES_MAX` are reached or the response ends.
 * It corks the socket, not the response: at the end of a corked response Node.js 24 writes the last chunk before the collected ones. A
 * response that waits for an earlier one of its connection has no socket yet, and is not collected.
 */
export function corkStart({ socket }: ServerResponse): CorkedStart {
  let collected = 0;
  let isCorked = true;
  const flush = (): void => {
    clearTimeout(timer);
    if (isCorked) socket?.uncork();
    isCorked = false;
  };
  const timer = setTimeout(flush, WAIT_MS);
  socket?.cork();
  return {
    add(bytes) {
      collected += bytes;
      if (collected > BYTES_MAX) flush();
    },
    flush,
  };
}
