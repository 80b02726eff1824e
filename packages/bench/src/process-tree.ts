import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly cpuSeconds: number;
}

/** Everything Linux tells of a process in one line; undefined when it is gone (or this is no Linux). */
function statOf(pid: string): ProcessStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything, so fields are counted from behind it (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { pid: Number(pid), parent: Number(fields[1]), cpuSeconds: ticks / TICKS_PER_SECOND };
  } catch {
    return undefined;
  }
}

/** A process and all below it that have this in their command line. */
export function processTree(root: number): readonly ProcessStat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(name) ?? []);
  const inside = new Set([root]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const one of all) {
      if (!inside.has(one.pid) && inside.has(one.parent)) {
        inside.add(one.pid);
        grown = true;
      }
    }
  }
  return all.filter((one) => inside.has(one.pid));
}

/** Seconds of processor that the Node.js processes of a tree (the host and its query workers) have used. */
export function nodeCpuSeconds(root: number): number {
  return processTree(root)
    .filter(({ pid }) => commandOf(pid).includes('node'))
    .reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Resident memory, its peak since `resetPeak`, in bytes. */
export function memoryOf(pid: number): { readonly residentBytes: number; readonly peakBytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return { residentBytes: kibibytes('VmRSS'), peakBytes: kibibytes('VmHWM') };
}
