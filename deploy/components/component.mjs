/** Shared by the scripts of all components: the cache folder, and finding and stopping the processes of servers. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Folder of downloads and unpacked servers, shared by all checkouts of one account. */
export const CACHE = join(homedir(), '.cache', 'sluice-components');

/**
 * Returns the pid in a pid file if its process still runs and is the server that was started, which means that its command line
 * contains `mark`. Processes that reuse the pid, and other servers, are ignored.
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

/** Sends the signal, waits, and kills the process when it has not ended after the grace period. */
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

/** Throws when another process uses the port, which could be mistaken for the server that is being started. */
export async function requireFreePort(host, port) {
  const isTaken = await new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
  if (isTaken) throw new Error(`Port ${port} is used by another process. Choose another one with --port.`);
}
