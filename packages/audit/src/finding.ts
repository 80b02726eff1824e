import type { ExactInteger } from './exact-integer.ts';
import type { SetAsideReports } from './set-aside-reports.ts';

/** First inconsistency that verification found in a log. */
export interface Finding {
  readonly kind: 'altered' | 'missing' | 'inserted' | 'reordered';
  /** Sequence number of the record, if the finding has one. */
  readonly sequence?: ExactInteger;
  /** Number of the checkpoint, if the finding is about a checkpoint. */
  readonly checkpoint?: number;
  readonly recordId?: string;
  /** Time of the record as it was read, epoch milliseconds. */
  readonly timeMs?: number;
  /** Member of an evidence package, or the checkpoint that the auditor saved. */
  readonly member?: string;
  /** One sentence for the operator. */
  readonly reason: string;
}

/** Record of a log, as a reader needs it to find it again. */
export interface RecordPosition {
  readonly sequence: number;
  /** Epoch milliseconds. */
  readonly timeMs: number;
}

/**
 * Records that were sealed with times before the sealer's previous look, or after their sealing. A host writes none: they were added to
 * the database with false times, or its clock was set.
 */
export interface WrongTimes {
  readonly count: number;
  readonly first: RecordPosition;
}

export interface Verdict {
  readonly tenantId: string;
  /** Number of records that were verified before the finding, or all of them. */
  readonly records: number;
  readonly checkpoints: number;
  readonly finding: Finding | undefined;
  /** Forgeries that hosts set aside, if a verified record reports any. They are not a finding: the chain is whole without them. */
  readonly setAside?: Pick<SetAsideReports, 'first' | 'count'>;
}
