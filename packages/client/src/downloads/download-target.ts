import type { Receipt } from '../contract-types.ts';
import type { Hasher } from './sha256.ts';

export interface DownloadInfo {
  readonly queryId: string;
  readonly mediaType: string;
  /** Strong ETag of the file of a kept result. Undefined for other downloads. */
  readonly etag?: string | undefined;
  /** Bytes of an earlier try (`findPart`) that the download continues. Undefined and 0: the file begins anew. */
  readonly startsAt?: number | undefined;
}

/** Bytes that an earlier try of the same download has left. */
export interface EarlierPart {
  readonly bytes: number;
  /** ETag of the file that they are of; undefined if it is not known. */
  readonly etag: string | undefined;
}

/** An open target. Exactly one of `commit` and `abort` is called, once. */
export interface OpenTarget<Result> {
  /** Reads the `startsAt` bytes of an earlier try that this target continues, from where they are written. */
  readEarlier?(): AsyncIterable<Uint8Array>;
  write(chunk: Uint8Array): Promise<void> | void;
  /**
   * The bytes are whole: makes them visible under their name.
   * @param receipt - receipt that has their hash. Undefined for a kept result, whose bytes were compared with the hash of the host
   */
  commit(receipt?: Receipt): Promise<Result>;
  /** The bytes are incomplete: removes them. */
  abort(reason: unknown): Promise<void>;
}

/** Destination of a download, such as a Blob, a stream or a file. */
export interface DownloadTarget<Result> {
  /** Rejects before the query runs if nothing can be written. */
  prepare?(): Promise<void>;
  /** Returns what an earlier try has left, which `open` continues and `readEarlier` reads. Only downloads of kept results call it. */
  findPart?(): Promise<EarlierPart | undefined>;
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
