import { readdirSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Steps above the niceness of the host. Five mean about a third of its processor share (sched(7)). */
export const WORKER_NICENESS = 5;
/** The lowest priority. */
const NICENESS_MAX = 19;
/** Niceness of the host, which its workers inherit when they start. */
const HOST_NICENESS = getPriority();

/** Sets how far a process and all its threads are above the niceness of the host. Returns whether every setting succeeded. */
export function setNiceness(pid: number, steps: number): boolean {
  const niceness = Math.min(HOST_NICENESS + steps, NICENESS_MAX);
  if (process.platform !== 'linux') return attempt(() => setPriority(pid, niceness));
  // With autogroups the scheduler compares sessions instead of processes (sched(7), "The autogroup feature").
  const isGroupSet = attempt(() => writeFileSync(`/proc/${pid}/autogroup`, String(niceness)), ['ENOENT']);
  // Linux sets priorities by thread (setpriority(2), "C library/kernel differences"); new threads inherit their creator's.
  return threadsOf(pid).every((thread) => attempt(() => setPriority(thread, niceness), ['ESRCH'])) && isGroupSet;
}

function threadsOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return []; // the process has ended
  }
}

/** Returns whether a step succeeded. Harmless codes count as success: the thread has ended, or the system has no autogroups. */
function attempt(step: () => void, harmless: readonly string[] = []): boolean {
  try {
    step();
    return true;
  } catch (thrown) {
    const { code, info } = thrown as { readonly code?: string; readonly info?: { readonly code?: string } };
    return harmless.includes(info?.code ?? code ?? '');
  }
}
