/** The first thing that is wrong with a log. */
export interface Finding {
  readonly kind: 'altered' | 'missing' | 'inserted' | 'reordered';
  /** Place in the chain, where what is wrong has one. */
  readonly sequence?: number;
  /** Number of the checkpoint, where it is a checkpoint that is wrong. */
  readonly checkpoint?: number;
  readonly recordId?: string;
  /** A sentence. */
  readonly reason: string;
}

export interface Verdict {
  readonly tenantId: string;
  /** Records that were proved before the finding, or all of them. */
  readonly records: number;
  readonly checkpoints: number;
  readonly finding: Finding | undefined;
}
