import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const FAST_STOP_MS = 10_000;
const POLL_MS = 50;

/**
 * Cleans up after a crash. A server that still runs on this data, because its guardian was killed together with its parent, is
 * stopped. A leftover postmaster.pid is deleted: if its PID was reused by another program, PostgreSQL would take that for a running
 * server. Call it only while holding the home's lock.
 */
export async function stopOrphan(dataFolder: string): Promise<void> {
  const pidFile = join(dataFolder, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(pidFile, 'utf8').catch(() => ''), 10);
  await stopServer(pid, dataFolder);
  await rm(pidFile, { force: true });
}

/** Stops the process if it is a server that runs on this data: with a fast shutdown, and immediately if that takes too long. */
export async function stopServer(pid: number, dataFolder: string): Promise<void> {
  if (!(pid > 0) || !(await isServerOf(pid, dataFolder))) return;
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    sendSignal(pid, signal);
    if (await untilGone(pid, dataFolder)) return;
  }
}

/** The process may have ended since it was looked up. */
const sendSignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ESRCH') throw thrown;
  }
};

const untilGone = async (pid: number, dataFolder: string): Promise<boolean> => {
  const deadline = Date.now() + FAST_STOP_MS;
  while (Date.now() < deadline) {
    if (!(await isServerOf(pid, dataFolder))) return true;
    await delay(POLL_MS);
  }
  return false;
};

const isServerOf = async (pid: number, dataFolder: string): Promise<boolean> => {
  const commandLine = await commandLineOf(pid);
  return commandLine.includes('postgres') && commandLine.split(/[\0 ]/).includes(dataFolder);
};

/** Returns an empty string for a process that has ended or is a zombie. */
const commandLineOf = async (pid: number): Promise<string> => {
  try {
    if (platform() === 'linux') return await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return (await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)])).stdout;
  } catch {
    return '';
  }
};
