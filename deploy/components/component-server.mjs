/** The server of a component's script, which starts it, leaves it running, and stops it again. */
import { spawn } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { requireFreePort, runningPid, stopProcess } from './component.mjs';

/**
 * `folder` gets its pid and its log, `mark` is a part of its command line that no other process has, and `where` says how it is
 * reached, for people.
 */
export function componentServer({ name, folder, mark, where, stopGraceMs, stopSignal }) {
  const pidFile = join(folder, 'pid');
  const logFile = join(folder, 'server.log');
  const say = (sentence) => process.stdout.write(`${name}: ${sentence}\n`);
  const pid = () => runningPid(pidFile, mark);

  async function untilReady(child, { isReady, readyWithinMs, everyMs }) {
    const giveUpAt = Date.now() + readyWithinMs;
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`It ended while it started; ${logFile} says why.`);
      if (Date.now() > giveUpAt) throw new Error(`It is not ready; ${logFile} says how far it came.`);
      await delay(everyMs);
    }
  }

  return {
    say,
    pid,

    /** Says so when it runs already. Throws when the port is somebody else's. */
    async isStarted({ host, port }) {
      if (pid() === undefined) await requireFreePort(host, Number(port));
      else say(`runs already: ${where()}`);
      return pid() !== undefined;
    },

    /**
     * Starts it in a process group of its own, which is killed when it does not become ready. `serverPid` tells whose pid to keep
     * where the command is not the server itself.
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
      say(`ready after ${Date.now() - startedAt} ms: ${where()}`);
    },

    async stop() {
      const stopped = await stopProcess({ pidFile, mark, graceMs: stopGraceMs, signal: stopSignal });
      say(stopped === undefined ? 'does not run' : `stopped (${stopped})`);
    },

    /** Exit code 3, as of other services, when it does not run. */
    status() {
      const isUp = pid() !== undefined;
      say(isUp ? `runs: ${where()}` : 'does not run');
      if (!isUp) process.exitCode = 3;
    },
  };
}
