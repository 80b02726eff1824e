import { readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;

/** How much address space a process has mapped; 0 where the system does not tell (anything but Linux) or it is gone. */
export function addressSpaceBytes(pid: number): number {
  try {
    const [pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    return Number(pages) * PAGE_BYTES;
  } catch {
    return 0;
  }
}
