import type { QueryInput } from './query-input.ts';
import type { QueryRun } from './query-run.ts';

/** Name and type of a file, before its content is known. */
export interface DownloadFile {
  readonly mediaType: string;
  /** Name without path separators and control characters. */
  readonly filename: string;
  /** Extension without the dot. */
  readonly extension: string;
}

/** The client that receives a download. `queryId` is the id that a ticket has promised. */
export type Transfer = Pick<QueryInput, 'signal' | 'reader' | 'queryId'>;

/** A download that its caller may start now. Nothing has run, and nothing is recorded yet. */
export interface PreparedDownload {
  readonly file: DownloadFile;
  /** Admits and records the download; call it once. Throws what `StartQuery` throws. */
  start(transfer: Transfer): Promise<QueryRun>;
  /** Counts the download when its first bytes are available. */
  count?(): Promise<void>;
}
