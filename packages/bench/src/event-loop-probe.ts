// Loaded into the measured process by --import. Asked by any message, it tells how late the event loop was since it was last asked.
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** A delay is told with the time between two looks in it, which is taken off again. */
const RESOLUTION_MS = 5;

const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

process.on('message', () => {
  const inMs = (nanoseconds: number): number => Math.max(nanoseconds / 1e6 - RESOLUTION_MS, 0);
  process.send?.({ p99Ms: inMs(delays.percentile(99)), maxMs: inMs(delays.max), samples: delays.count });
  delays.reset();
});
// The process ends when it would without us.
process.channel?.unref();
// Whoever measures is gone, killed perhaps: nobody else would end this one.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
