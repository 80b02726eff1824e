import { ProblemError } from '@sluice/contract';
import type { Exchange } from '../exchange.ts';

const STALLED = 'The client took no data for too long.';
/** A client is cut at most two looks after its time. */
const LOOK_MS_MAX = 250;
const LOOKS_MIN = 4;

/**
 * Cuts a client that takes no byte for `stallMs`. Only Node sees the kernel take a part of a write, and takes that for progress at its
 * next look, whenever it was; so one look after `stallMs` would cut a client up to twice as late. Node calls back only when it
 * saw no progress since its look before, so a slow reader is not cut, and nor is a stream that has nothing to say.
 */
export function watchForStall({ res, controller }: Exchange, stallMs: number): void {
  const lookMs = Math.max(1, Math.min(LOOK_MS_MAX, stallMs / LOOKS_MIN));
  let last = { seenMs: Number.NEGATIVE_INFINITY, written: 0, waiting: 0 };
  let quietSinceMs = 0;
  res.setTimeout(lookMs, () => {
    const { socket } = res;
    if (socket === null) return;
    const look = { seenMs: performance.now(), written: socket.bytesWritten, waiting: socket.writableLength };
    const isAsBefore = look.written === last.written && look.waiting === last.waiting;
    // A look that Node passed over, because the kernel had taken something, makes the time between two calls twice as long.
    if (!isAsBefore || look.seenMs - last.seenMs > 1.9 * lookMs) quietSinceMs = look.seenMs - lookMs;
    last = look;
    const isWaiting = res.writableNeedDrain || res.writableEnded;
    if (!isWaiting || look.seenMs - quietSinceMs < stallMs) return void socket.setTimeout(lookMs);
    controller.abort(new ProblemError('query_cancelled', STALLED));
    res.destroy();
  });
}
