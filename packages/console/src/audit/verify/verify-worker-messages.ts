import type { CheckpointCopy, EvidenceVerdict } from '@sluice/audit/verify-in-browser';

/** Message to the worker. */
export interface VerifyRequest {
  readonly file: Blob;
  /** Trusted public keys in base64. */
  readonly publicKeys: readonly string[];
  readonly saved: CheckpointCopy | undefined;
}

/** Progress of the worker. */
export interface VerifyProgress {
  readonly records: number;
  /** Share of the bytes that were read, from 0 to 1. */
  readonly part: number;
}

/** Message from the worker. */
export type VerifyReport =
  | ({ readonly kind: 'progress' } & VerifyProgress)
  | { readonly kind: 'done'; readonly verdict: EvidenceVerdict }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'failed'; readonly message: string };
