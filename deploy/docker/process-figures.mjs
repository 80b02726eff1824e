/** Figures of running processes, from /proc. */
import { readFileSync } from 'node:fs';

/** Returns the ids of a process's children. */
export const childrenOf = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

/** Returns a file of a process, or '' if the process has ended. */
function fileOf(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

/** Returns the resident memory of a process in MiB, and 0 if it has ended. */
export const residentMib = (pid) => Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(fileOf(pid, 'status'))?.[1] ?? 0) / 1024);

/** Returns the bytes that a process has written, to sockets too. */
export const writtenBytes = (pid) => Number(/^wchar: (\d+)/m.exec(fileOf(pid, 'io'))?.[1] ?? 0);
