import { Socket, type SocketConstructorOpts } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FrameDecoder } from '../protocol/frame-decoder.ts';
import type { Frame } from '../protocol/frames.ts';

/**
 * Receives frames from a channel and returns the stream to write to. `onFrames` gets the frames of each read, and returns false to
 * pause the channel until `resume` is called.
 *
 * Node.js reads into a given buffer (`onread`) only for a socket that is created with this option, and `spawn` does not offer it for
 * the sockets that it creates. So the handle of the channel, which has no public name, gets another socket. Without a handle the bytes
 * arrive as `data` events and are copied.
 */
export function receiveFrames(
  channel: Duplex,
  decoder: FrameDecoder,
  onFrames: (frames: Iterable<Frame>) => boolean,
): Duplex {
  const handle: unknown = Reflect.get(channel, '_handle');
  if (!(channel instanceof Socket) || typeof handle !== 'object' || handle === null) {
    channel.on('data', (chunk: Buffer) => {
      if (!onFrames(decoder.push(chunk))) channel.pause();
    });
    return channel;
  }
  Reflect.set(channel, '_handle', null); // the first socket must not read, nor close the handle
  const onread = { buffer: () => decoder.target, callback: (bytes: number) => onFrames(decoder.received(bytes)) };
  return new Socket({ handle, onread } as SocketConstructorOpts);
}
