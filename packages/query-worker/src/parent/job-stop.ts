import type { Duplex } from 'node:stream';
import { encodeFrame } from '../protocol/frames.ts';
import type { FrameQueue } from './frame-queue.ts';

/** How long an interrupted engine may take to stop before its process is killed: some functions never look (measured). */
const INTERRUPT_GRACE_MS = 1_000;

/** The end of a job before its time: its engine is interrupted first, and its process killed a second later. */
export class JobStop {
  readonly #channel: Duplex;
  readonly #frames: FrameQueue;
  readonly #kill: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(channel: Duplex, frames: FrameQueue, kill: () => void) {
    this.#channel = channel;
    this.#frames = frames;
    this.#kill = kill;
  }

  begin(): void {
    if (this.#timer !== undefined) return;
    this.#frames.discardRows();
    this.#channel.write(encodeFrame('cancel'));
    this.#timer = setTimeout(this.#kill, INTERRUPT_GRACE_MS);
  }

  done(): void {
    clearTimeout(this.#timer);
  }
}
