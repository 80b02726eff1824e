import { closeSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { serveChannel } from './serve-channel.ts';

/** Standard input, output and error, and the channel to the host. */
const OWN_DESCRIPTORS = 4;
const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes the descriptors that the host itself has inherited, such as a file or socket of its supervisor: no statement may reach them. All
 * that Node.js opens is closed on exec, so only inherited ones have no such flag. Linux only.
 */
function closeInheritedDescriptors(): void {
  if (process.platform !== 'linux') return;
  for (const descriptor of readdirSync('/proc/self/fdinfo').map(Number))
    if (descriptor >= OWN_DESCRIPTORS && isInherited(descriptor)) closeSync(descriptor);
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s+([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'));
    return (Number.parseInt(flags?.[1] ?? '', 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false; // the one that listed the others is closed
  }
}

closeInheritedDescriptors();

// File descriptor 3 is the channel that the host opened.
const channel = new Socket({ fd: 3 });
const tempFolder = process.argv[2] ?? '';

// An engine thread may still be busy when the host has ended, and process.exit would wait for it (29 s measured).
const die = (): void => {
  try {
    rmSync(tempFolder, { recursive: true, force: true });
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
};
channel.on('error', () => undefined); // `close` follows an error too

await serveChannel(channel, tempFolder).finally(die);
