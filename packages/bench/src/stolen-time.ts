import { readFileSync } from 'node:fs';

interface ProcessorTimes {
  readonly stolenTicks: number;
  readonly allTicks: number;
}

/** Reads /proc/stat (proc(5)): user, nice, system, idle, iowait, irq, softirq, steal. Returns zeros where there is no such file. */
function processorTimes(): ProcessorTimes {
  try {
    const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '';
    const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
    return { stolenTicks: ticks[7] ?? 0, allTicks: ticks.reduce((sum, one) => sum + one, 0) };
  } catch {
    return { stolenTicks: 0, allTicks: 0 };
  }
}

/** Starts a measurement. The returned function returns the share of time, 0 to 1, that the hypervisor has given to other machines since. */
export function watchStolenTime(): () => number {
  const before = processorTimes();
  return () => {
    const now = processorTimes();
    const all = now.allTicks - before.allTicks;
    return all === 0 ? 0 : (now.stolenTicks - before.stolenTicks) / all;
  };
}
