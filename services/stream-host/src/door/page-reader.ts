import type { Reader } from '../queries/reader-pace.ts';

/** Progress of a client that reads pages, by which a host chooses the slow readers that hold workers. */
export class PageReader implements Reader {
  /** Bytes of rows in the pages that were given out. */
  takenBytes = 0;
  /** The statement waits until the client reads. */
  isBehind = false;
}
