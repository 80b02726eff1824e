/**
 * Creates the folder and the socket that the test files of one run share. The first test that needs PostgreSQL starts it
 * (src/start-postgres.ts); it ends when the socket closes. Without such a test this costs a few milliseconds. The socket belongs to this
 * process, the only one that lives as long as the run, so the kernel closes it in any case.
 */
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'sluice-test-';
/** Run as root, the server uses another account, which may have no access to the TMPDIR of the test run. */
const PARENT = existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export default async function globalSetup() {
  removeLeftovers();
  const folder = mkdtempSync(join(PARENT, `${PREFIX}${process.pid}-`));
  chmodSync(folder, 0o755);
  const lifelines = new Set();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    lifelines.add(socket);
    socket.resume();
    socket.on('error', () => undefined);
    socket.on('close', () => lifelines.delete(socket));
  });
  await new Promise((resolve) => server.listen(join(folder, 'lifeline'), resolve));
  server.unref();

  const onSignal = (signal) => {
    // Jest ends here without its teardown. The guardian of a running server removes the folder.
    if (lifelines.size === 0) rmSync(folder, { recursive: true, force: true });
    for (const other of SIGNALS) process.off(other, onSignal);
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);

  // biome-ignore lint/style/noProcessEnv: the workers of jest inherit only the environment
  process.env.SLUICE_TEST_RUN = folder;
  globalThis[Symbol.for('sluice.test-run')] = async () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    // The guardian closes its end after the server has stopped.
    await Promise.all([...lifelines].map((socket) => new Promise((gone) => socket.once('close', gone).end())));
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Removes empty folders of runs that were killed before they had a server. The folder's name contains the process id. */
function removeLeftovers() {
  for (const name of readdirSync(PARENT)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    try {
      rmSync(join(PARENT, name), { recursive: true, force: true });
    } catch {
      // The folder belongs to another user.
    }
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
