import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  readonly cpuSeconds: number;
  /** Processor time of its children that have ended and been waited for, and of theirs. */
  readonly endedCpuSeconds: number;
}

/** Reads /proc/<pid>/stat. Returns undefined when the process has ended or the system is not Linux. */
function statOf(pid: string): ProcessStat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain any character, so fields are counted after it (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const secondsOf = (first: number): number => (Number(fields[first]) + Number(fields[first + 1])) / TICKS_PER_SECOND;
    return { pid: Number(pid), parent: Number(fields[1]), cpuSeconds: secondsOf(11), endedCpuSeconds: secondsOf(13) };
  } catch {
    return undefined;
  }
}

/** Returns a process and all its descendants. */
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

/** Returns the processor time of the Node.js processes of a tree: the host and its query workers. */
export function nodeCpuSeconds(root: number): number {
  return processTree(root)
    .filter(({ pid }) => commandOf(pid).includes('node'))
    .reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
}

/** Processor time of a server by its parts, in seconds. */
export interface CpuSplit {
  /** The server process itself. */
  readonly server: number;
  /** Its query workers and other Node.js processes. */
  readonly workers: number;
  readonly postgres: number;
}

/** Returns the processor time that a server and its children have used since their start. */
export function cpuSplitOf(root: number): CpuSplit {
  const split = { server: 0, workers: 0, postgres: 0 };
  for (const { pid, cpuSeconds } of processTree(root)) {
    const part = pid === root ? 'server' : commandOf(pid).includes('node') ? 'workers' : 'postgres';
    split[part] += cpuSeconds;
  }
  return split;
}

/** Returns the processor time of a process and all its descendants, also of those that have ended. */
export function cpuSecondsOf(root: number): number {
  return processTree(root).reduce((sum, one) => sum + one.cpuSeconds + one.endedCpuSeconds, 0);
}

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/** Returns the resident memory of a process and its peak, in bytes. */
export function memoryOf(pid: number): { readonly residentBytes: number; readonly peakBytes: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kibibytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1024;
  return { residentBytes: kibibytes('VmRSS'), peakBytes: kibibytes('VmHWM') };
}
