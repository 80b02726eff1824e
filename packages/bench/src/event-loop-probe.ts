// Loaded into the measured process by --import. Replies to any message with the event-loop delay since the previous message.
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Sampling interval. Node.js includes it in each delay, so it is subtracted again. */
const RESOLUTION_MS = 5;

const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

process.on('message', () => {
  const inMs = (nanoseconds: number): number => Math.max(nanoseconds / 1e6 - RESOLUTION_MS, 0);
  process.send?.({ p99Ms: inMs(delays.percentile(99)), maxMs: inMs(delays.max), samples: delays.count });
  delays.reset();
});
// The channel must not keep the process alive.
process.channel?.unref();
// The bench has ended, perhaps killed, so this process must end too.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
