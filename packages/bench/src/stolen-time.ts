import { readFileSync } from 'node:fs';

interface ProcessorTimes {
  readonly stolenTicks: number;
  readonly allTicks: number;
}

/** proc(5), /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. Nothing is stolen where there is no such file. */
function processorTimes(): ProcessorTimes {
  try {
    const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '';
    const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number);
    return { stolenTicks: ticks[7] ?? 0, allTicks: ticks.reduce((sum, one) => sum + one, 0) };
  } catch {
    return { stolenTicks: 0, allTicks: 0 };
  }
}

/** Starts a watch; the function it returns answers the share of this machine's time, 0 to 1, that a hypervisor gave to others since. */
export function watchStolenTime(): () => number {
  const before = processorTimes();
  return () => {
    const now = processorTimes();
    const all = now.allTicks - before.allTicks;
    return all === 0 ? 0 : (now.stolenTicks - before.stolenTicks) / all;
  };
}
