/**
 * Starts one PostgreSQL server and stops it when the parent process has ended for any reason: a kill -9 runs no handler, but the
 * kernel closes the lifeline. It leads a separate session, so that Ctrl-C in a terminal does not stop the database before the hosts
 * have written their last records. Plain JavaScript outside src, because both the compiled program and the tests, which run on the
 * sources, start it with Node alone.
 *
 * Input: one JSON argument. Output: the line `started PID`, and the line `ready` once the server accepts connections. The exit code is the server's.
 */
import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

/** @type {{postgres: string, args: string[], dataFolder: string, logFile: string, uid?: number, gid?: number, lifeline?: string, removeAfterwards: string[]}} */
const options = JSON.parse(process.argv[2]);
const STATUS_POLL_MS = 10;
const FAST_STOP_MS = 10_000;

const log = openSync(options.logFile, 'a', 0o600);
const server = spawn(options.postgres, options.args, {
  cwd: '/',
  // A fixed environment: a PGDATA or LD_PRELOAD of the caller must not change which server runs.
  env: { LC_ALL: 'C', TZ: 'UTC' },
  stdio: ['ignore', log, log],
  ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.gid }),
});
closeSync(log);
// The parent may have ended before these lines are written; the lifeline reports that.
process.stdout.on('error', () => undefined);
// If this process is killed, the parent stops the server.
process.stdout.write(`started ${server.pid}\n`);

let stopping = false;
function stop() {
  if (stopping) return;
  stopping = true;
  // SIGINT is PostgreSQL's fast shutdown: sessions end, everything is written. SIGQUIT ends immediately and recovers next time.
  server.kill('SIGINT');
  setTimeout(() => server.kill('SIGQUIT'), FAST_STOP_MS).unref();
}

const lifeline =
  options.lifeline === undefined ? process.stdin : connect({ path: options.lifeline, allowHalfOpen: true });
lifeline.resume();
for (const event of ['end', 'close', 'error']) lifeline.on(event, stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

/** pg_ctl waits for the same last line of postmaster.pid. The first line proves that the file is this server's. */
const statusPoll = setInterval(() => {
  const lines = readLines(join(options.dataFolder, 'postmaster.pid'));
  if (lines[0]?.trim() !== String(server.pid) || lines[7]?.trim() !== 'ready') return;
  clearInterval(statusPoll);
  process.stdout.write('ready\n');
}, STATUS_POLL_MS);

function readLines(file) {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

server.on('error', () => finish(1));
server.on('exit', (code) => finish(code ?? 1));

function finish(code) {
  clearInterval(statusPoll);
  for (const path of options.removeAfterwards) rmSync(path, { recursive: true, force: true });
  process.exit(code);
}
