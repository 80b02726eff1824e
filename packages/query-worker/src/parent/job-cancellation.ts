import { encodeFrame } from '../protocol/frames.ts';
import type { FrameQueue } from './frame-queue.ts';

/** Time for an interrupted engine to stop before its process is killed: some functions never check for interrupts (measured). */
const INTERRUPT_GRACE_MS = 1_000;

/** Cancellation of a running job: the engine is interrupted first, and the process is killed a second later. */
export class JobCancellation {
  readonly #frames: FrameQueue;
  readonly #kill: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(frames: FrameQueue, kill: () => void) {
    this.#frames = frames;
    this.#kill = kill;
  }

  begin(): void {
    if (this.#timer !== undefined) return;
    this.#frames.discardRows();
    this.#frames.channel.write(encodeFrame('cancel'));
    this.#timer = setTimeout(this.#kill, INTERRUPT_GRACE_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
