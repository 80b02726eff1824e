import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Of -20 to 19, where 0 is anybody's; five steps mean about a third of the share (sched(7)). */
const NICENESS = 5;

/**
 * Lets hosts, and workers that are starting, come before this process where there are not processors enough for all, so that heavy
 * queries delay neither the requests of others nor the replacement of workers. Nobody takes that back without a privilege.
 */
export function yieldProcessors(): void {
  if (process.platform !== 'linux') setPriority(NICENESS);
  else lowerEveryThread();
}

function lowerEveryThread(): void {
  // Linux counts by thread (setpriority(2), "C library/kernel differences"); new ones take after the one that starts them.
  for (const thread of readdirSync('/proc/self/task')) attempt(() => setPriority(Number(thread), NICENESS));
  // Where the system groups processes by session (sched(7), "The autogroup feature"), it compares the groups.
  attempt(() => writeFileSync('/proc/self/autogroup', String(NICENESS)));
}

/** A thread may have ended meanwhile, and not every system has such groups or lets them be changed. */
function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // Then it stays as it is, which costs others time and nothing else.
  }
}
