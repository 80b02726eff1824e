import type { Column, ProblemError } from '@sluice/contract';
import type { RowTemplate } from './row-template.ts';

/** What a result ended with, for the bytes after its last row. */
export interface ResultEnd {
  readonly queryId: string;
  readonly rows: number;
  readonly limited: boolean;
  readonly elapsedMs: number;
}

/** Ids that a failed result names. */
export interface FailedResultIds {
  readonly queryId: string;
  readonly requestId: string;
}

/**
 * One way to write a result as bytes. `head`, `complete` and `failed` are written by the host, rows by whoever has the engine's
 * pages, so that the last word of a body is never said before its receipt is durable.
 */
export interface Format {
  /** Everything before the first row. */
  head(columns: readonly Column[]): string;
  row(columns: readonly Column[]): RowTemplate;
  /** Everything after the last row of a whole result; bytes where the format is no text. */
  complete(end: ResultEnd): string | Uint8Array;
  /**
   * What tells, in the body itself, that the result failed after `head` was written. Undefined: the format has no words for it,
   * so the transfer must be cut.
   */
  failed(problem: ProblemError, queryId: string): string | undefined;
  /** The whole body of a result that failed before `head` was written, where the format has one of its own. */
  failedBody?(problem: ProblemError, ids: FailedResultIds): string;
}
