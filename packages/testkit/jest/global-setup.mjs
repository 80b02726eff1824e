/**
 * Creates what the test files of one run share: a folder, and a socket. The first test that needs PostgreSQL starts a server
 * (../src/start-postgres.ts), which stops when the socket closes. The socket belongs to this process, because only this one lives
 * as long as the run, and the kernel closes it however the run ends.
 */
import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'sluice-test-';
/** Not TMPDIR if possible: when the tests run as root, the server runs as another user, who may have no access to it. */
const ON_DISK = existsSync('/var/tmp') ? '/var/tmp' : tmpdir();
const IN_MEMORY = '/dev/shm';
/** The write-ahead log may take 1 GB, the databases of the running test files some hundred MB. */
const MEMORY_BYTES_MIN = 4 * 1024 ** 3;
const PARENTS = [ON_DISK, IN_MEMORY].filter((parent) => existsSync(parent));
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export default async function globalSetup() {
  removeLeftovers();
  const folder = mkdtempSync(join(isMemoryUsable() ? IN_MEMORY : ON_DISK, `${PREFIX}${process.pid}-`));
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
    // Jest ends without its teardown. If a server runs, its guardian removes the folder.
    if (lifelines.size === 0) rmSync(folder, { recursive: true, force: true });
    for (const other of SIGNALS) process.off(other, onSignal);
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);

  process.env.SLUICE_TEST_RUN = folder;
  globalThis[Symbol.for('sluice.test-run')] = async () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    // The guardian closes its end when the server is down.
    await Promise.all([...lifelines].map((socket) => new Promise((gone) => socket.once('close', gone).end())));
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
}

/**
 * Every test file creates a database of some hundred files and drops it. For minutes ext4 does not reuse their inodes, and looks at each
 * of them whenever a file is created: after 30 databases, 0.6 s of processor time for the next one, and 0.08 s in memory (measured).
 */
function isMemoryUsable() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const [, options = ''] = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
    // Under root the server's programs are copied into the folder.
    return bavail * bsize >= MEMORY_BYTES_MIN && options.startsWith('rw') && !options.split(',').includes('noexec');
  } catch {
    return false;
  }
}

/** Removes the folders of runs that were killed before they started a server. Their names contain the process. */
function removeLeftovers() {
  for (const parent of PARENTS) for (const name of readdirSync(parent)) removeLeftover(parent, name);
  // The last file that this looked at may be a socket. Node.js 20 then does not resolve the symbolic links of the modules that Jest loads
  // next (native/runtime.mjs), and Jest finds other versions of its dependencies.
  lstatSync('/');
}

function removeLeftover(parent, name) {
  const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
  if (Number.isNaN(pid) || isAlive(pid)) return;
  try {
    rmSync(join(parent, name), { recursive: true, force: true });
  } catch {
    // It belongs to another user.
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
