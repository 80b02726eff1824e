import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { cpuSecondsOf } from './process-tree.ts';

/** Highest load average that figures are judged at. Above it they describe the other processes too. */
export const LOAD_MAX = 1;
const SAMPLE_MS = 2_000;
const TICKS_PER_SECOND = 100;

interface ProcessorTimes {
  readonly all: number;
  readonly stolen: number;
  /** Used by any process of this machine. */
  readonly used: number;
  /** Used by this process and all its descendants, living and ended. */
  readonly own: number;
}

/** Reads /proc/stat (proc(5)): user, nice, system, idle, iowait, irq, softirq, steal; in seconds. Zeros where there is no such file. */
function processorTimes(): ProcessorTimes {
  try {
    const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '';
    const seconds = line
      .trim()
      .split(/\s+/)
      .slice(1, 9)
      .map((ticks) => Number(ticks) / TICKS_PER_SECOND);
    const all = seconds.reduce((sum, one) => sum + one, 0);
    const [, , , idle = 0, waiting = 0, , , stolen = 0] = seconds;
    return { all, stolen, used: all - idle - waiting - stolen, own: cpuSecondsOf(process.pid) };
  } catch {
    return { all: 0, stolen: 0, used: 0, own: 0 };
  }
}

export interface Disturbance {
  /** Share of the machine's time, 0 to 1, that the hypervisor gave to other machines. */
  readonly stolenShare: number;
  /** Share of the machine's time, 0 to 1, that processes used that do not belong to the bench. */
  readonly othersShare: number;
  /** Processors that these processes used on average. */
  readonly othersProcessors: number;
}

/** Starts a measurement. The returned function returns the disturbance since. */
export function watchDisturbance(): () => Disturbance {
  const before = processorTimes();
  const startedAt = performance.now();
  return () => {
    const now = processorTimes();
    const all = now.all - before.all;
    const others = Math.max(0, now.used - before.used - (now.own - before.own));
    const shareOf = (seconds: number): number => (all === 0 ? 0 : seconds / all);
    return {
      stolenShare: shareOf(now.stolen - before.stolen),
      othersShare: shareOf(others),
      othersProcessors: others / ((performance.now() - startedAt) / 1000),
    };
  };
}

/**
 * Returns the load average of the last minute. Waits at most this long until it is low enough to judge, because the build before the
 * bench is part of it.
 */
export async function settledLoad(waitMs: number): Promise<number> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const [load = 0] = loadavg();
    if (load <= LOAD_MAX || performance.now() >= deadline) return load;
    await setTimeout(SAMPLE_MS);
  }
}
