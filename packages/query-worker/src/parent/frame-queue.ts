import type { Duplex } from 'node:stream';
import { FrameDecoder } from '../protocol/frame-decoder.ts';
import type { Frame } from '../protocol/frames.ts';
import { receiveFrames } from './receive-frames.ts';

/** Bytes that may wait for the reader before the channel is paused, and with it the worker and its engine. */
const QUEUED_BYTES_MAX = 512 * 1024;

/** Queue of the frames that a worker sends. Frames that are not read hold the worker back. */
export class FrameQueue {
  /** Stream to the worker. */
  readonly channel: Duplex;
  readonly #frames: Frame[] = [];
  #queuedBytes = 0;
  #waiting: ((frame: Frame | undefined) => void) | undefined;
  #mode: 'keep' | 'discard-rows' = 'keep';
  #ended = false;

  /** Takes over the channel. Calls `onInvalid` when the bytes are not a frame; nothing after them is read. */
  constructor(channel: Duplex, onInvalid: (cause: Error) => void) {
    this.channel = receiveFrames(channel, new FrameDecoder(), (frames) => {
      if (this.#ended) return false;
      try {
        for (const frame of frames) this.#push(frame);
      } catch (thrown) {
        this.#end();
        onInvalid(thrown instanceof Error ? thrown : new Error(String(thrown)));
      }
      return !this.#ended && this.#queuedBytes <= QUEUED_BYTES_MAX;
    });
    this.channel.on('close', () => this.#end());
    this.channel.on('error', () => this.#end()); // a killed worker resets its channel, which means the same as its end
  }

  /** Returns the next frame, or undefined when the worker has ended. */
  next(): Promise<Frame | undefined> {
    const frame = this.#frames.shift();
    if (frame !== undefined) {
      this.#queuedBytes -= frame.bytes;
      if (this.#queuedBytes <= QUEUED_BYTES_MAX) this.channel.resume();
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
    const frames = this.#frames.splice(0);
    this.#queuedBytes = 0;
    for (const frame of frames) this.#push(frame);
    this.channel.resume();
  }

  /** Keeps rows again, for the next statement. */
  keepRows(): void {
    this.#mode = 'keep';
  }

  #push(frame: Frame): void {
    if ((frame.kind === 'rows' || frame.kind === 'stored') && this.#mode === 'discard-rows') {
      frame.release?.();
      return;
    }
    if (this.#waiting !== undefined) {
      const resolve = this.#waiting;
      this.#waiting = undefined;
      resolve(frame);
      return;
    }
    this.#frames.push(frame);
    this.#queuedBytes += frame.bytes;
  }

  #end(): void {
    this.#ended = true;
    this.#waiting?.(undefined);
    this.#waiting = undefined;
  }
}
