import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { FrameDecoder } from '../protocol/frame-decoder.ts';
import { encodeFrame, encodeRowsHeader, type Frame } from '../protocol/frames.ts';
import { receiveFrames } from './receive-frames.ts';

const rows = (bytes: number, value: number): Buffer =>
  Buffer.concat([encodeRowsHeader(1, bytes), Buffer.alloc(bytes, value)]);

/** Both ends of a socket of the kind that connects host and worker. */
async function socketPair(): Promise<{ near: Socket; far: Socket; [Symbol.asyncDispose](): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-frames-'));
  const server = createServer().listen(join(folder, 'socket'));
  const accepted = once(server, 'connection');
  const near = connect(join(folder, 'socket'));
  await once(near, 'connect');
  const [far] = (await accepted) as [Socket];
  return {
    near,
    far,
    async [Symbol.asyncDispose]() {
      near.destroy();
      far.destroy();
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

describe('receiveFrames', () => {
  it('reads a socket into the memory of the decoder, in order, until the socket closes', async () => {
    await using pair = await socketPair();
    const frames: Frame[] = [];
    const channel = receiveFrames(pair.near, new FrameDecoder(), (received) => {
      frames.push(...received);
      return true;
    });
    expect(channel).not.toBe(pair.near);
    const closed = once(channel, 'close');
    for (let value = 0; value < 20; value += 1) pair.far.write(rows(260_000, value));
    pair.far.end(encodeFrame('end'));
    await closed;
    expect(frames.map(({ kind }) => kind)).toEqual([...Array(20).fill('rows'), 'end']);
    for (const [value, { payload }] of frames.slice(0, 20).entries())
      expect(payload.subarray(4).equals(Buffer.alloc(260_000, value))).toBe(true);
  });

  it('stops reading after `false` until `resume` is called, and writes to the other end', async () => {
    await using pair = await socketPair();
    let received = 0;
    let allowed = 1;
    const channel = receiveFrames(pair.near, new FrameDecoder(), (frames) => {
      for (const _ of frames) received += 1;
      return received < allowed;
    });
    let written = 0;
    for (; written < 10; written += 1) pair.far.write(rows(260_000, written));
    while (received === 0) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(received).toBe(1);
    while (received < written) {
      allowed = received + 1;
      channel.resume();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const frame = once(pair.far, 'data');
    channel.write('back');
    expect(String((await frame)[0])).toBe('back');
  });

  it('reads a stream without a handle too', async () => {
    const stream = new PassThrough();
    const kinds: string[] = [];
    receiveFrames(stream, new FrameDecoder(), (frames) => {
      for (const { kind } of frames) kinds.push(kind);
      return true;
    });
    stream.write(Buffer.concat([encodeFrame('ready'), rows(100_000, 1)]));
    stream.end();
    await once(stream, 'end');
    expect(kinds).toEqual(['ready', 'rows']);
  });
});
