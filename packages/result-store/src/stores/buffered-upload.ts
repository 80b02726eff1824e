import type { ResultUpload } from './result-store.ts';

/** Sealed bytes that may wait for a slow store. A stream does not wait for it: beyond this, the result is not kept. */
const WAITING_BYTES_MAX = 16 * 1024 * 1024;

/** Time that the end of a stream waits for a store that is slow to take the last bytes. */
const END_TIMEOUT_MS = 5_000;

interface BufferedUploadOptions {
  /** Bytes that the result may have. */
  readonly bytesMax: number;
  readonly waitingBytesMax?: number;
  readonly endTimeoutMs?: number;
}

/** Reason for which a result is not kept, as users read it. */
export type NotKeptReason =
  | 'The result store failed.'
  | 'The result store was too slow.'
  | 'The kept results of the tenant would exceed their limit of bytes.';

interface WaitingBytes {
  readonly bytes: Uint8Array;
  readonly release: () => void;
}

/** Writes a result to a store, beside a stream that never waits for it and never fails because of it. */
export class BufferedUpload {
  readonly #upload: Promise<ResultUpload>;
  readonly #options: Required<BufferedUploadOptions>;
  readonly #waiting: WaitingBytes[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #failure: NotKeptReason | undefined;
  #cause: unknown;
  #writing: Promise<void> | undefined;

  constructor(upload: Promise<ResultUpload>, options: BufferedUploadOptions) {
    this.#upload = upload;
    this.#upload.catch(() => undefined); // thrown where it is awaited
    this.#options = { waitingBytesMax: WAITING_BYTES_MAX, endTimeoutMs: END_TIMEOUT_MS, ...options };
  }

  /** Bytes that were pushed. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Why the result will not be kept, as far as that is known. */
  get failure(): NotKeptReason | undefined {
    return this.#failure;
  }

  /** The error of the store, for the log. */
  get cause(): unknown {
    return this.#cause;
  }

  /** Takes bytes, and calls `release` after their last use. Returns false when the result will not be kept. */
  push(bytes: Uint8Array, release: () => void): boolean {
    this.#bytes += bytes.byteLength;
    if (this.#bytes > this.#options.bytesMax)
      this.#fail('The kept results of the tenant would exceed their limit of bytes.');
    else if (this.#waitingBytes + bytes.byteLength > this.#options.waitingBytesMax)
      this.#fail('The result store was too slow.');
    if (this.#failure !== undefined) {
      release();
      return false;
    }
    this.#waiting.push({ bytes, release });
    this.#waitingBytes += bytes.byteLength;
    this.#writing ??= this.#writeAll();
    return true;
  }

  /** Makes the result readable in the store. Returns why it is not; the caller then calls `abort`. Never rejects. */
  async finish(): Promise<NotKeptReason | undefined> {
    await this.#withinEndTimeout(this.#finishWriting());
    return this.#failure;
  }

  /** Removes what was written. Never rejects: what cannot be removed now is removed by the purge job. */
  async abort(): Promise<void> {
    this.#failure ??= 'The result store failed.';
    this.#releaseAll();
    try {
      await this.#withinEndTimeout(this.#abortUpload());
    } catch (thrown) {
      this.#cause ??= thrown;
    }
  }

  async #abortUpload(): Promise<void> {
    await this.#writing; // otherwise it could begin what nothing removes
    await (await this.#upload).abort();
  }

  async #finishWriting(): Promise<void> {
    await this.#writing;
    if (this.#failure !== undefined) return;
    try {
      await (await this.#upload).commit();
    } catch (thrown) {
      this.#fail('The result store failed.', thrown);
    }
  }

  async #writeAll(): Promise<void> {
    try {
      const upload = await this.#upload;
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        try {
          await upload.write(next.bytes);
        } finally {
          this.#waitingBytes -= next.bytes.byteLength;
          next.release();
        }
      }
    } catch (thrown) {
      this.#fail('The result store failed.', thrown);
    }
    this.#writing = undefined; // in the same turn in which nothing was left to write
  }

  #fail(reason: NotKeptReason, cause?: unknown): void {
    this.#failure ??= reason;
    this.#cause ??= cause;
    this.#releaseAll();
  }

  #releaseAll(): void {
    for (const { bytes, release } of this.#waiting.splice(0)) {
      this.#waitingBytes -= bytes.byteLength;
      release();
    }
  }

  async #withinEndTimeout(work: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.#fail('The result store was too slow.');
        resolve();
      }, this.#options.endTimeoutMs);
    });
    await Promise.race([work, late]).finally(() => clearTimeout(timer));
  }
}
