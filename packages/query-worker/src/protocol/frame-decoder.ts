import { EVENT_BYTES_MAX } from '@sluice/engine';
import { BufferPool } from './buffer-pool.ts';
import { decodeHeader, type Frame, type FrameHead, HEADER_BYTES, ROW_COUNT_BYTES } from './frames.ts';

/** All frames of a small result, so that one read receives them. */
const STAGING_BYTES = 64 * 1024;
/** The largest frame of rows, and the header of the next frame, which the same read receives. */
const BUFFER_BYTES = ROW_COUNT_BYTES + EVENT_BYTES_MAX + HEADER_BYTES;
/** Frames that wait for the reader, and the ones that are being filled and sent. */
const BUFFERS_KEPT_MAX = 4;

/** A frame that is received into a buffer of its own. */
interface LargeFrame {
  readonly head: FrameHead;
  /** Room for the payload and the header of the next frame. */
  readonly buffer: Buffer;
  filled: number;
}

/**
 * Splits a byte stream into frames. It provides the buffer for the next bytes, so that a socket can read into it: large frames are
 * received where they stay, without a copy, and small ones through one buffer.
 */
export class FrameDecoder {
  readonly #staging = Buffer.allocUnsafeSlow(STAGING_BYTES);
  readonly #buffers = new BufferPool({ bytesEach: BUFFER_BYTES, keptMax: BUFFERS_KEPT_MAX });
  #staged = 0;
  #large: LargeFrame | undefined;

  /** Buffer for the next bytes, never empty. It is another one after each call of `received` or `push`. */
  get target(): Buffer {
    const large = this.#large;
    return large === undefined ? this.#staging.subarray(this.#staged) : large.buffer.subarray(large.filled);
  }

  /** Takes notice of bytes that were written to the start of `target`, and yields the frames that are complete. Throws for invalid bytes. */
  *received(bytes: number): Generator<Frame> {
    if (this.#large === undefined) this.#staged += bytes;
    else {
      this.#large.filled += bytes;
      const frame = this.#finishLarge(this.#large);
      if (frame === undefined) return;
      yield frame;
    }
    yield* this.#stagedFrames();
  }

  /** Copies bytes from elsewhere and yields the frames that are complete. */
  *push(chunk: Uint8Array): Generator<Frame> {
    for (let from = 0; from < chunk.byteLength; ) {
      const { target } = this;
      const part = chunk.subarray(from, from + target.length);
      target.set(part);
      from += part.byteLength;
      yield* this.received(part.byteLength);
    }
  }

  /** Moves what follows the payload, the start of the next header, to the staging buffer. */
  #finishLarge({ head, buffer, filled }: LargeFrame): Frame | undefined {
    if (filled < head.bytes) return undefined;
    this.#large = undefined;
    this.#staged = buffer.copy(this.#staging, 0, head.bytes, filled);
    return { ...head, payload: buffer.subarray(0, head.bytes), release: () => this.#buffers.release(buffer) };
  }

  *#stagedFrames(): Generator<Frame> {
    let at = 0;
    while (this.#staged - at >= HEADER_BYTES) {
      const head = decodeHeader(this.#staging.subarray(at));
      const start = at + HEADER_BYTES;
      const end = start + head.bytes;
      if (end > this.#staged) {
        if (HEADER_BYTES + head.bytes > STAGING_BYTES) return this.#startLarge(head, start);
        break;
      }
      at = end;
      yield { ...head, payload: Buffer.from(this.#staging.subarray(start, end)) };
    }
    this.#staging.copyWithin(0, at, this.#staged);
    this.#staged -= at;
  }

  #startLarge(head: FrameHead, start: number): void {
    const bytes = this.#buffers.acquire(head.bytes + HEADER_BYTES);
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#large = { head, buffer, filled: this.#staging.copy(buffer, 0, start, this.#staged) };
    this.#staged = 0;
  }
}
