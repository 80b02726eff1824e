/**
 * Runs programs as a container engine does, without one: as PID 1 of a namespace, as a user without rights, on a root file system that is
 * read-only and holds the files of an image. Needs Linux and root. The network is that of this machine.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installNode } from '../components/node.mjs';
import { IMAGE_NODE_VERSION } from '../components/versions.mjs';
import { childrenOf, residentMib, writtenBytes } from './process-figures.mjs';

/** Libraries and programs of the base image; here those of this machine. */
const BASE = ['bin', 'sbin', 'lib', 'lib64', 'usr'];
const FILES_OF_ETC = ['passwd', 'group', 'nsswitch.conf', 'ld.so.cache'];

/**
 * Builds the root from its arguments, and becomes the program. `binds` are pairs of a folder and its path in the container; they are
 * read-only, as everything but /tmp is.
 */
const BUILD_ROOT = `
set -e
root=$1 user=$2 temp=$3 directory=$4; shift 4
mount -t tmpfs tmpfs "$root"
for name in ${BASE.join(' ')}; do
  if [ -L "/$name" ]; then cp -P "/$name" "$root/$name"
  elif [ -d "/$name" ]; then mkdir "$root/$name"; mount --bind "/$name" "$root/$name"; mount -o remount,bind,ro "$root/$name"; fi
done
while [ "$1" != -- ]; do
  mkdir -p "$root$2"; mount --bind "$1" "$root$2"; mount -o remount,bind,ro "$root$2"; shift 2
done
shift
mkdir -p "$root/proc" "$root/dev" "$root/tmp"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o "size=$temp,mode=1777" tmpfs "$root/tmp"
mount -o remount,bind,ro "$root"
exec chroot "$root" /usr/bin/setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all \
  /bin/sh -c 'cd "$0" && exec "$@"' "$directory" "$@"
`;

/**
 * Starts a container. Its PATH has a copy of Node.js, of the version of the images, that it may execute and not read, as the images have.
 * @param options.tree - folder with the files of the image
 * @param options.command - program and arguments
 * @param options.user - number of the user and of its group
 * @param options.env - environment
 * @param options.mounts - folders by their path in the container
 * @param options.hosts - addresses by host name, for /etc/hosts
 * @param options.tempSize - size of /tmp, in the form of tmpfs
 * @param options.directory - working directory; the files of the image are in /sluice
 */
export function startContainer({
  tree,
  command,
  user,
  env = {},
  mounts = {},
  hosts = {},
  tempSize = '1g',
  directory = '/sluice',
}) {
  const scratch = mkdtempSync(join(tmpdir(), 'sluice-container-'));
  const root = join(scratch, 'root');
  mkdirSync(root);
  const binds = Object.entries({
    '/sluice': tree,
    '/opt/node': nodeFolder(),
    '/etc': etcFolder(scratch, hosts, mounts),
    ...mounts,
  });
  // A folder before those in it.
  const pairs = binds
    .toSorted(([one], [other]) => one.length - other.length)
    .flatMap(([path, folder]) => [folder, path]);
  const namespaces = ['--mount', '--pid', '--fork', '--ipc', '--uts', '--propagation=private', '--kill-child'];
  const args = [
    ...namespaces,
    '/bin/sh',
    '-c',
    BUILD_ROOT,
    'sh',
    root,
    user,
    tempSize,
    directory,
    ...pairs,
    '--',
    ...command,
  ];
  const child = spawn('unshare', args, {
    env: { PATH: '/opt/node:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const exited = once(child, 'close').then(([code]) => {
    rmSync(scratch, { recursive: true, force: true });
    return code;
  });
  return {
    exited,
    output: () => output,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** Sends a signal to process 1 of the container. */
    kill(signal) {
      const [pid] = childrenOf(child.pid);
      if (pid !== undefined) process.kill(pid, signal);
    },
    /** Sends a signal to each child of process 1. */
    killChildren(signal) {
      const [pid] = childrenOf(child.pid);
      for (const each of childrenOf(pid)) process.kill(each, signal);
    },
    /** Returns the bytes that process 1 has written, to sockets too. */
    writtenBytes: () => writtenBytes(childrenOf(child.pid)[0]),
    /** Returns the resident memory of process 1 and of each of its children, in MiB. */
    residentMib() {
      const [pid] = childrenOf(child.pid);
      return { host: residentMib(pid), workers: childrenOf(pid).map(residentMib) };
    },
  };
}

/** Folder with the copy of Node.js, for the life of this process. */
let nodeCopy;

/** A process whose executable its user cannot read is not dumpable, so a query worker cannot read the host's memory (docs/security.md). */
function nodeFolder() {
  if (nodeCopy !== undefined) return nodeCopy;
  nodeCopy = mkdtempSync(join(tmpdir(), 'sluice-node-'));
  chmodSync(nodeCopy, 0o755);
  copyFileSync(installNode(IMAGE_NODE_VERSION), join(nodeCopy, 'node'));
  chmodSync(join(nodeCopy, 'node'), 0o711);
  process.on('exit', () => rmSync(nodeCopy, { recursive: true, force: true }));
  return nodeCopy;
}

function etcFolder(scratch, hosts, mounts) {
  const folder = join(scratch, 'etc');
  mkdirSync(folder);
  for (const name of FILES_OF_ETC.filter((each) => existsSync(join('/etc', each)))) {
    copyFileSync(join('/etc', name), join(folder, name));
  }
  // The folder is read-only before others are mounted in it.
  for (const path of Object.keys(mounts).filter((each) => each.startsWith('/etc/')))
    mkdirSync(join(scratch, path), { recursive: true });
  const lines = Object.entries({ localhost: ['127.0.0.1'], ...hosts }).flatMap(([name, addresses]) =>
    addresses.map((address) => `${address} ${name}\n`),
  );
  writeFileSync(join(folder, 'hosts'), lines.join(''));
  return folder;
}
