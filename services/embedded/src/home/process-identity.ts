import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { promisify } from 'node:util';

/**
 * A text that tells one process from every other that ever has its number: when the system started it. Numbers are used
 * again soon, in a container at every start. Undefined when there is no such process, or only a zombie of it.
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

/** proc(5): the command, field 2, may hold spaces and brackets, so the fields are counted from behind its last bracket. */
const identityIn = (stat: string): string | undefined => {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const state = fields[0];
  return state === 'Z' || state === 'X' ? undefined : fields[19];
};
