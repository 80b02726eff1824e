import { rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { closeInheritedDescriptors } from './close-inherited-descriptors.ts';
import { serveChannel } from './serve-channel.ts';

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
