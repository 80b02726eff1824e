import { readFileSync } from 'node:fs';

/** Clock ticks are 10 ms on Linux for every architecture that Node.js supports (`USER_HZ`, proc_pid_stat(5)). */
const TICK_MS = 10;

/**
 * Returns the processor time of this process and of its children that have ended, with theirs, in milliseconds. Where there is no /proc,
 * it is that of this process alone.
 */
export function readProcessorTime() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name of the program, in parentheses, may contain spaces. `utime` is field 14; `stime`, `cutime` and `cstime` follow it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return TICK_MS * fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}
