import type { Readable } from 'node:stream';
import { type Frame, FrameDecoder } from '../protocol/frames.ts';

/** Bytes that may wait for the reader before the channel is paused, and with it the worker and its engine. */
const QUEUED_BYTES_MAX = 512 * 1024;

/** Queue of the frames that a worker sends. Frames that are not read hold the worker back. */
export class FrameQueue {
  readonly #source: Readable;
  readonly #frames: Frame[] = [];
  #queuedBytes = 0;
  #waiting: ((frame: Frame | undefined) => void) | undefined;
  #mode: 'keep' | 'discard-rows' = 'keep';
  #ended = false;

  /** Calls `onInvalid` when the bytes are not a frame; nothing after them is read. */
  constructor(source: Readable, onInvalid: (cause: Error) => void) {
    this.#source = source;
    const decoder = new FrameDecoder();
    source.on('data', (chunk: Buffer) => {
      if (this.#ended) return;
      try {
        for (const frame of decoder.push(chunk)) this.#push(frame);
      } catch (thrown) {
        this.#end();
        onInvalid(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
    });
    source.on('close', () => this.#end());
    source.on('error', () => this.#end()); // a killed worker resets its channel, which means the same as its end
  }

  /** Returns the next frame, or undefined when the worker has ended. */
  next(): Promise<Frame | undefined> {
    const frame = this.#frames.shift();
    if (frame !== undefined) {
      this.#queuedBytes -= frame.payload.length;
      if (this.#queuedBytes <= QUEUED_BYTES_MAX) this.#source.resume();
      return Promise.resolve(frame);
    }
    if (this.#ended) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** Drops rows from now on, so that a cancelled worker never waits for a reader. */
  discardRows(): void {
    this.#mode = 'discard-rows';
    const kept = this.#frames.filter((frame) => frame.kind !== 'rows');
    this.#frames.splice(0, this.#frames.length, ...kept);
    this.#queuedBytes = kept.reduce((sum, frame) => sum + frame.payload.length, 0);
    this.#source.resume();
  }

  /** Keeps rows again, for the next statement. */
  keepRows(): void {
    this.#mode = 'keep';
  }

  #push(frame: Frame): void {
    if (frame.kind === 'rows' && this.#mode === 'discard-rows') return;
    if (this.#waiting !== undefined) {
      const resolve = this.#waiting;
      this.#waiting = undefined;
      resolve(frame);
      return;
    }
    this.#frames.push(frame);
    this.#queuedBytes += frame.payload.length;
    if (this.#queuedBytes > QUEUED_BYTES_MAX) this.#source.pause();
  }

  #end(): void {
    this.#ended = true;
    this.#waiting?.(undefined);
    this.#waiting = undefined;
  }
}
