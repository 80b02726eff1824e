import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { promisify } from 'node:util';

const POLL_MS = 500;
const SHELL = /(^|\/)-?(sh|ash|bash|dash|ksh|zsh)$/;

/**
 * Calls once when npm, which started us, is gone. Between npm and us may stand a shell that passes no signal on and outlives
 * npm, so both are watched; where the shell has become us, npm is our parent, and who started npm is none of our business.
 */
export async function watchLauncher(onGone: () => void): Promise<void> {
  const parent = process.ppid;
  const { parentPid, command } = await describe(parent);
  const isGone = (): boolean =>
    process.ppid !== parent || (parentPid !== undefined && SHELL.test(command) && !isAlive(parentPid));
  const poll = setInterval(() => {
    if (!isGone()) return;
    clearInterval(poll);
    onGone();
  }, POLL_MS);
  poll.unref();
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    // Not ours to signal, but there.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
};

interface Description {
  readonly parentPid: number | undefined;
  readonly command: string;
}

/** Linux tells by proc(5), which needs no program; other systems by ps(1). */
const describe = async (pid: number): Promise<Description> => {
  try {
    if (platform() === 'linux') return describedIn(await readFile(`/proc/${pid}/stat`, 'utf8'));
    const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,comm=', '-p', String(pid)]);
    const [parentPid = '', ...command] = stdout.trim().split(/\s+/);
    return { parentPid: Number(parentPid), command: command.join(' ') };
  } catch {
    return { parentPid: undefined, command: '' };
  }
};

const describedIn = (stat: string): Description => ({
  parentPid: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]),
  command: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
});
