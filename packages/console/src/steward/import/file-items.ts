import type { FileFault, RawObject } from '@sluice/contract/metadata-files';

/** Objects and broken rows of a file, in order. */
export type FileItems = AsyncIterable<readonly (RawObject | FileFault)[]>;

/** Reads the objects of a file in one format, and may rewrite the file for the host. */
export interface FileReader {
  readonly items: FileItems;
  /** Returns what is sent in place of the file, once all its items are read. Undefined: the file itself. */
  readonly rewritten?: () => Blob | undefined;
}
