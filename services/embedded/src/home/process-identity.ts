import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { promisify } from 'node:util';

/**
 * Returns the start time of a process, which distinguishes it from any other process with the same PID. PIDs are reused, in a
 * container at every start. Returns undefined when there is no such process or it is a zombie.
 */
export async function processIdentity(pid: number): Promise<string | undefined> {
  try {
    if (platform() === 'linux') return identityIn(await readFile(`/proc/${pid}/stat`, 'utf8'));
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]);
    return stdout.trim() === '' ? undefined : stdout.trim();
  } catch {
    return undefined;
  }
}

/** proc(5): the command, field 2, may contain spaces and brackets, so fields are counted after its last bracket. */
const identityIn = (stat: string): string | undefined => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  return state === 'Z' || state === 'X' ? undefined : fields[19];
};
