import { ProblemError } from '@sluice/contract';
import type { Exchange } from '../model/exchange.ts';

const STALLED = 'The client stopped reading for too long.';
/** Maximum delay between the time limit and the cut. */
const CHECK_MS_MAX = 250;
const CHECKS_MIN = 4;

/**
 * Aborts the request of a client that reads no byte for `stallMs`. Only Node knows when the kernel accepts part of a write: it emits
 * `timeout` if nothing was accepted since its previous check. So Node checks often, and consecutive checks without progress are
 * counted. A slow reader is not cut, and neither is a stream without data. Time is not measured, because a host that was itself
 * delayed cannot know what its client would have read.
 */
export function abortOnStall({ res, controller }: Exchange, stallMs: number): void {
  const checkMs = Math.ceil(Math.min(CHECK_MS_MAX, stallMs / CHECKS_MIN));
  let isStalled = false;
  let stalledChecks = 0;
  let nextCheck: NodeJS.Timeout | undefined;
  const scheduleCheck = (): void => {
    isStalled = false;
    // Node's check runs before ours: timers of the same length run in the order in which they were set.
    res.socket?.setTimeout(checkMs);
    nextCheck = setTimeout(check, checkMs);
  };
  const check = (): void => {
    const isWaiting = res.writableNeedDrain || res.writableEnded;
    stalledChecks = isStalled && isWaiting ? stalledChecks + 1 : 0;
    if (stalledChecks * checkMs < stallMs) {
      scheduleCheck();
    } else {
      controller.abort(new ProblemError('query_cancelled', STALLED));
      res.destroy();
    }
  };
  res.on('timeout', () => {
    isStalled = true;
  });
  // If the client disconnected while the handler ran, the response is closed already and 'close' is not emitted again.
  if (res.closed) return;
  res.once('close', () => clearTimeout(nextCheck));
  scheduleCheck();
}
