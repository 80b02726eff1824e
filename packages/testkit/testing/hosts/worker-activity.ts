import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';

const SAMPLE_MS = 200;
/** Clock ticks of 10 ms that an idle Node.js process may use in that time. */
const IDLE_TICKS_MAX = 4;

/** Returns user and system time of a process in ticks (proc(5), fields 14 and 15); undefined after its end. */
const ticksOf = async (pid: number): Promise<number | undefined> => {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return undefined;
  }
};

/** Returns the PIDs of the processes that use processor time at this moment. */
export async function busyProcesses(pids: readonly number[]): Promise<readonly number[]> {
  const before = await Promise.all(pids.map(ticksOf));
  await wait(SAMPLE_MS);
  const after = await Promise.all(pids.map(ticksOf));
  return pids.filter((_, index) => (after[index] ?? 0) - (before[index] ?? 0) > IDLE_TICKS_MAX);
}
