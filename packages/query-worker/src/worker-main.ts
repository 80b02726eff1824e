import { rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { serveChannel } from './serve-channel.ts';

// File descriptor 3 is the channel that the host opened. Without it this process has no purpose.
const channel = new Socket({ fd: 3 });
const tempFolder = process.argv[2] ?? '';

// When the host is gone, an engine thread may still be busy, and process.exit would wait for it (29 s measured).
const die = (): void => {
  try {
    rmSync(tempFolder, { recursive: true, force: true });
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
};
channel.on('close', die);
channel.on('error', die);

await serveChannel(channel, tempFolder);
