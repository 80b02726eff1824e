import type { UploadMediaType } from '@sluice/contract';

/** Body of a request that the handler reads as it arrives. */
export interface Upload {
  readonly mediaType: UploadMediaType;
  /**
   * The bytes, read only as fast as the handler pulls them. Throws `payload_too_large`, `request_timeout` when the client sends
   * nothing for too long, and `query_cancelled` when it disconnects. It can be read once.
   */
  readonly bytes: AsyncIterable<Uint8Array>;
}
