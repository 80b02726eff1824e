import type { Readable } from 'node:stream';
import { type Frame, FrameDecoder } from '../protocol/frames.ts';

/** Bytes that may wait for the consumer before the channel is paused, and with it the worker and its engine. */
const QUEUED_BYTES_MAX = 512 * 1024;

/** The frames a worker sends, taken one by one; what is not taken holds the worker back. */
export class FrameQueue {
  readonly #source: Readable;
  readonly #frames: Frame[] = [];
  #queuedBytes = 0;
  #waiting: ((frame: Frame | undefined) => void) | undefined;
  #mode: 'keep' | 'discard-rows' = 'keep';
  #ended = false;

  /** `onGarbage` is told when what comes is no frame; nothing after it is read. */
  constructor(source: Readable, onGarbage: (cause: Error) => void) {
    this.#source = source;
    const decoder = new FrameDecoder();
    source.on('data', (chunk: Buffer) => {
      if (this.#ended) return;
      try {
        for (const frame of decoder.push(chunk)) this.#push(frame);
      } catch (thrown) {
        this.#end();
        onGarbage(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
    });
    source.on('close', () => this.#end());
    source.on('error', () => this.#end()); // a killed worker resets its channel; the end of the frames says the same
  }

  /** The next frame; undefined when the worker is gone. */
  take(): Promise<Frame | undefined> {
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

  /** From now on rows are dropped as they come, so that a cancelled worker is never stuck behind what nobody will read. */
  discardRows(): void {
    this.#mode = 'discard-rows';
    const kept = this.#frames.filter((frame) => frame.kind !== 'rows');
    this.#frames.splice(0, this.#frames.length, ...kept);
    this.#queuedBytes = kept.reduce((sum, frame) => sum + frame.payload.length, 0);
    this.#source.resume();
  }

  /** Back to keeping rows, for the next statement. */
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
