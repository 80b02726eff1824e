/**
 * Opens what the test files of one run share: a folder, and a socket whose closing ends the PostgreSQL server that the first
 * test in need of one starts (see src/start-postgres.ts). Costs a few milliseconds when none does. The socket belongs to this
 * process, the only one that lives as long as the run; the kernel closes it however the run ends.
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
    // Jest ends here without its teardown. With a server running, the folder is its guardian's to remove.
    if (lifelines.size === 0) rmSync(folder, { recursive: true, force: true });
    for (const other of SIGNALS) process.off(other, onSignal);
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);

  // biome-ignore lint/style/noProcessEnv: the environment is what the workers of jest inherit.
  process.env.SLUICE_TEST_RUN = folder;
  globalThis[Symbol.for('sluice.test-run')] = async () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    // The guardian answers our end with its own once the server is down.
    await Promise.all([...lifelines].map((socket) => new Promise((gone) => socket.once('close', gone).end())));
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** A run that was killed before it had a server leaves an empty folder; its process is in the name. */
function removeLeftovers() {
  for (const name of readdirSync(PARENT)) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    try {
      rmSync(join(PARENT, name), { recursive: true, force: true });
    } catch {
      // Another user's.
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
