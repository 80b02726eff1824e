/** Server of a component's script, which starts it, leaves it running, and stops it later. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { requireFreePort, runningPid, stopProcess } from './component.mjs';

/**
 * Creates the commands of a server. `folder` contains its pid and log files, `mark` is a part of its command line that no other
 * process has, and `where` returns its address for messages.
 */
export function componentServer({ name, folder, mark, where, stopGraceMs, stopSignal }) {
  const pidFile = join(folder, 'pid');
  const logFile = join(folder, 'server.log');
  const print = (message) => process.stdout.write(`${name}: ${message}\n`);
  const pid = () => runningPid(pidFile, mark);

  async function untilReady(child, { isReady, readyWithinMs, everyMs }) {
    const deadline = Date.now() + readyWithinMs;
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`The server ended during its start. See ${logFile}.`);
      if (Date.now() > deadline) throw new Error(`The server is not ready in time. See ${logFile}.`);
      await delay(everyMs);
    }
  }

  return {
    print,
    pid,

    /** Returns whether the server already runs, and prints that. Throws when another process uses the port. */
    async isStarted({ host, port }) {
      if (pid() === undefined) await requireFreePort(host, Number(port));
      else print(`already runs: ${where()}`);
      return pid() !== undefined;
    },

    /**
     * Starts the server in a separate process group, which is killed when the server does not become ready. `serverPid` maps the pid
     * of the command to that of the server, if the command is not the server itself.
     */
    async launch({ command, args, isReady, readyWithinMs, everyMs, serverPid = String, ...options }) {
      const startedAt = Date.now();
      const log = openSync(logFile, 'w');
      const child = spawn(command, args, { detached: true, stdio: ['ignore', log, log], ...options });
      closeSync(log);
      writeFileSync(pidFile, String(child.pid));
      child.unref();
      try {
        await untilReady(child, { isReady, readyWithinMs, everyMs });
      } catch (thrown) {
        if (child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
        throw thrown;
      }
      writeFileSync(pidFile, serverPid(child.pid));
      print(`ready after ${Date.now() - startedAt} ms: ${where()}`);
    },

    async stop() {
      const stopped = await stopProcess({ pidFile, mark, graceMs: stopGraceMs, signal: stopSignal });
      print(stopped === undefined ? 'does not run' : `stopped (${stopped})`);
    },

    /** Prints whether the server runs. Sets exit code 3, as service scripts do (LSB), when it does not. */
    status() {
      const isUp = pid() !== undefined;
      print(isUp ? `runs: ${where()}` : 'does not run');
      if (!isUp) process.exitCode = 3;
    },
  };
}
