import { readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;

/** Returns the address space that a process has mapped, or 0 when it has ended or the system is not Linux. */
export function addressSpaceBytes(pid: number): number {
  try {
    const [pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    return Number(pages) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
