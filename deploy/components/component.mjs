/** What the scripts of all components share: where things are kept, whose process it is, and how it is stopped. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Downloads and unpacked servers, shared by every checkout of one account. */
export const CACHE = join(homedir(), '.cache', 'sluice-components');

/**
 * Whether the process of a pid file still runs and is the one that was started: its command line holds `mark`. A recycled pid,
 * or somebody else's server, is never taken for ours.
 */
export function runningPid(pidFile, mark) {
  if (!existsSync(pidFile)) return undefined;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  return Number.isInteger(pid) && isRunning(pid, mark) ? pid : undefined;
}

function isRunning(pid, mark) {
  try {
    if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return false;
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(mark);
  } catch {
    return false;
  }
}

/** Asks it to end, waits, and kills it when it does not. */
export async function stopProcess({ pidFile, mark, graceMs, signal = 'SIGTERM' }) {
  const pid = runningPid(pidFile, mark);
  if (pid !== undefined) {
    process.kill(pid, signal);
    const killAt = Date.now() + graceMs;
    while (isRunning(pid, mark)) {
      if (Date.now() > killAt) process.kill(pid, 'SIGKILL');
      await delay(100);
    }
  }
  rmSync(pidFile, { force: true });
  return pid;
}

/** A server that somebody else started there must not be mistaken for the one that is about to be. */
export async function requireFreePort(host, port) {
  const isTaken = await new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
  if (isTaken) throw new Error(`Port ${port} is taken by another process. Choose another with --port.`);
}
