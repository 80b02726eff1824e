import type { EvidenceVerdict, KeptCheckpoint } from '@sluice/audit/verify-in-browser';

/** What the worker is asked. */
export interface VerifyRequest {
  readonly file: Blob;
  /** Trusted public keys in base64. */
  readonly publicKeys: readonly string[];
  readonly kept: KeptCheckpoint | undefined;
}

/** Record of the log, as the page needs it to find it again. */
export interface RecordPlace {
  readonly sequence: number;
  readonly timeMs: number;
}

/** How far the worker is. */
export interface VerifyProgress {
  readonly records: number;
  /** From 0 to 1. */
  readonly part: number;
}

/** Result of a verification. */
export interface VerifiedPackage {
  readonly verdict: EvidenceVerdict;
  /** Last record before the finding, or of all. */
  readonly last: RecordPlace | undefined;
}

/** What the worker reports. */
export type VerifyReport =
  | ({ readonly kind: 'progress' } & VerifyProgress)
  | ({ readonly kind: 'done' } & VerifiedPackage)
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'failed'; readonly message: string };
