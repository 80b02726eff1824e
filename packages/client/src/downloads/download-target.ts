import type { Receipt } from '../contract-types.ts';
import type { Hasher } from './sha256.ts';

export interface DownloadInfo {
  readonly queryId: string;
  readonly mediaType: string;
}

/** An open target. Exactly one of `commit` and `abort` is called, once. */
export interface OpenTarget<Result> {
  write(chunk: Uint8Array): Promise<void> | void;
  /** The bytes are those of the receipt: makes them visible under their name. */
  commit(receipt: Receipt): Promise<Result>;
  /** The bytes are incomplete: removes them. */
  abort(reason: unknown): Promise<void>;
}

/** Destination of a download, such as a Blob, a stream or a file. */
export interface DownloadTarget<Result> {
  /** Rejects before the query runs if nothing can be written. */
  prepare?(): Promise<void>;
  open(info: DownloadInfo): Promise<OpenTarget<Result>>;
  /** Faster hash of the platform. */
  createSha256?(): Hasher;
}

/** Collects a download in a Blob, which browsers may keep on disk. */
export function toBlob(): DownloadTarget<Blob> {
  return {
    open: async ({ mediaType }) => {
      // Blobs of blobs, so that a page does not hold all bytes in its heap.
      const parts: Blob[] = [];
      return {
        write: (chunk) => void parts.push(new Blob([chunk as Uint8Array<ArrayBuffer>])),
        commit: async () => new Blob(parts, { type: mediaType }),
        abort: async () => void parts.splice(0),
      };
    },
  };
}

/**
 * Writes a download to a stream. The stream is closed when the bytes equal the receipt, and aborted otherwise; a file stream of the
 * File System API then discards them.
 */
export function toStream(stream: WritableStream<Uint8Array>): DownloadTarget<void> {
  return {
    open: async () => {
      const writer = stream.getWriter();
      // Reported by the next write.
      writer.closed.catch(() => undefined);
      return {
        write: async (chunk) => {
          await writer.ready;
          await writer.write(chunk);
        },
        commit: () => writer.close(),
        abort: (reason) => writer.abort(reason),
      };
    },
  };
}
