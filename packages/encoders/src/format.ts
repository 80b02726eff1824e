import type { Column, ProblemError } from '@sluice/contract';
import type { RowTemplate } from './row-template.ts';

/** Facts about a complete result, for the bytes after its last row. */
export interface ResultEnd {
  readonly queryId: string;
  readonly rows: number;
  readonly limited: boolean;
  readonly elapsedMs: number;
  /** Whether the result is kept, if that was requested: until when, or why not. Shown in event streams. */
  readonly keeping?: { readonly untilMs: number } | { readonly notKept: string } | undefined;
}

/** Identifiers in the body of a failed result. */
interface FailedResultIds {
  readonly queryId: string;
  readonly requestId: string;
}

/**
 * One way to encode a result as bytes. The host writes `head`, `complete` and `failed`; the engine writes the rows. The last
 * bytes of a body are therefore never sent before its receipt is durable.
 */
export interface Format {
  /** The rows are written in the form of kept results, apart from line feeds between them, so they are kept as they are sent. */
  readonly isStoredForm?: boolean;
  /** Returns everything before the first row. */
  head(columns: readonly Column[]): string;
  row(columns: readonly Column[]): RowTemplate;
  /** Returns everything after the last row of a complete result; bytes if the format is not text. */
  complete(end: ResultEnd): string | Uint8Array;
  /**
   * Returns the text that reports, in the body itself, a failure after `head` was written. Undefined: the format cannot express
   * it, so the transfer must be cut.
   */
  failed(problem: ProblemError, queryId: string): string | undefined;
  /** Returns the whole body of a result that failed before `head` was written, for formats that have one. */
  failedBody?(problem: ProblemError, ids: FailedResultIds): string;
}
