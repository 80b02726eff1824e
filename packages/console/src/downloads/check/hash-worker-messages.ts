/** Message to the worker. */
export interface HashRequest {
  readonly file: Blob;
}

/** Message from the worker. */
export type HashReport =
  | { readonly kind: 'progress'; readonly bytes: number }
  | { readonly kind: 'done'; readonly sha256: string }
  | { readonly kind: 'failed' };
