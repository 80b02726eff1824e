import { readdir, readFile } from 'node:fs/promises';

/** Memory of a process that is in RAM, as Linux counts it. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024;
}

/** Descriptors that a process has open, of whatever kind. */
export const openDescriptors = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;
