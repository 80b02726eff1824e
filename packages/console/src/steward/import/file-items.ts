import type { FileFault, RawObject } from '@sluice/contract/metadata-files';

/** Objects and broken rows of a file, in order. */
export type FileItems = AsyncIterable<readonly (RawObject | FileFault)[]>;

/** How the objects of a format are read. */
export interface FileReader {
  readonly items: FileItems;
  /** Returns what is sent in place of the file, once all its items are read. Undefined: the file itself. */
  readonly rewritten?: () => Blob | undefined;
}
