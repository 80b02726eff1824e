import { ProblemError } from '@sluice/contract';
import type { Exchange } from '../model/exchange.ts';

const STALLED = 'The client took no data for too long.';
/** A client is cut at most one look after its time. */
const LOOK_MS_MAX = 250;
const LOOKS_MIN = 4;

/**
 * Cuts a client that takes no byte for `stallMs`. Only Node knows when the kernel takes a part of a write, and emits `timeout` when it
 * took nothing since Node's look before. So Node looks often, and the looks in a row that found nothing are counted: a slow reader
 * is not cut, and nor is a stream that has nothing to say. Time is not measured, since a host that was late itself cannot say what
 * its client would have taken.
 */
export function abortOnStall({ res, controller }: Exchange, stallMs: number): void {
  const lookMs = Math.ceil(Math.min(LOOK_MS_MAX, stallMs / LOOKS_MIN));
  let isQuiet = false;
  let quietLooks = 0;
  let nextLook: NodeJS.Timeout | undefined;
  const lookLater = (): void => {
    isQuiet = false;
    // Node's own look comes before ours: timers of one length run in the order in which they were set.
    res.socket?.setTimeout(lookMs);
    nextLook = setTimeout(look, lookMs);
  };
  const look = (): void => {
    const isWaiting = res.writableNeedDrain || res.writableEnded;
    quietLooks = isQuiet && isWaiting ? quietLooks + 1 : 0;
    if (quietLooks * lookMs < stallMs) {
      lookLater();
    } else {
      controller.abort(new ProblemError('query_cancelled', STALLED));
      res.destroy();
    }
  };
  res.on('timeout', () => {
    isQuiet = true;
  });
  // A client that left while the handler worked has closed the response already, and 'close' is not emitted twice.
  if (res.closed) return;
  res.once('close', () => clearTimeout(nextLook));
  lookLater();
}
