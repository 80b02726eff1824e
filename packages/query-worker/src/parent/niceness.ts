import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Of -20 to 19, where 0 is the default; five steps mean about a third of the share (sched(7)). */
export const WORKER_NICENESS = 5;

/** Sets how far a process comes after others, with every thread it has. Returns whether all of it took it. */
export function setNiceness(pid: number, niceness: number): boolean {
  if (process.platform !== 'linux') return attempt(() => setPriority(pid, niceness));
  // Where the system groups processes by session (sched(7), "The autogroup feature"), it compares the groups.
  const isGroupSet = attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(niceness)), ['ENOENT']);
  // Linux counts by thread (setpriority(2), "C library/kernel differences"); new ones take after the one that starts them.
  return threadsOf(pid).every((thread) => attempt(() => setPriority(thread, niceness), ['ESRCH'])) && isGroupSet;
}

function threadsOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return []; // it is gone
  }
}

/** A failure with one of these codes is none: the thread has ended, or the system has no such groups. */
function attempt(step: () => void, harmless: readonly string[] = []): boolean {
  try {
    step();
    return true;
  } catch (thrown) {
    const { code, info } = thrown as { readonly code?: string; readonly info?: { readonly code?: string } };
    return harmless.includes(info?.code ?? code ?? '');
  }
}
