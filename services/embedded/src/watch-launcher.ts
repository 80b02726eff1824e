import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { promisify } from 'node:util';

const POLL_MS = 500;
const SHELL = /(^|\/)-?(sh|ash|bash|dash|ksh|zsh)$/;

/**
 * Calls `onGone` once when npm, which started this process, has ended. A shell between npm and this process passes no signal on and
 * outlives npm, so both are watched. Where the shell was replaced by this process, the parent is npm itself and its own parent is
 * ignored.
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
    // The process exists, but belongs to another user.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
};

interface Description {
  readonly parentPid: number | undefined;
  readonly command: string;
}

/** Reads proc(5) on Linux, which needs no program, and runs ps(1) elsewhere. */
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
