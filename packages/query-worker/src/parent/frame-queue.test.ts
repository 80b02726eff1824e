import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { encodeFrame, encodeRowsHeader, type Frame } from '../protocol/frames.ts';
import { FrameQueue } from './frame-queue.ts';

const rows = (bytes: number): Buffer => Buffer.concat([encodeRowsHeader(1, bytes), Buffer.alloc(bytes, 'x')]);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const kindOf = async (taken: Promise<Frame | undefined>): Promise<string | undefined> => (await taken)?.kind;

function open(): { source: PassThrough; queue: FrameQueue; garbage: Error[] } {
  const source = new PassThrough({ highWaterMark: 64 * 1024 });
  const garbage: Error[] = [];
  return { source, queue: new FrameQueue(source, (cause) => garbage.push(cause)), garbage };
}

describe('FrameQueue', () => {
  it('gives frames in order, to who waits and to who comes later', async () => {
    const { source, queue } = open();
    const first = queue.take();
    source.write(Buffer.concat([encodeFrame('ready'), encodeFrame('columns'), encodeFrame('end')]));
    expect([await kindOf(first), await kindOf(queue.take()), await kindOf(queue.take())]).toEqual([
      'ready',
      'columns',
      'end',
    ]);
  });

  it('stops reading when a reader does not take, and goes on when it does', async () => {
    const { source, queue } = open();
    let written = 0;
    const pump = (): void => {
      for (let room = true; room && written < 100; written += 1) room = source.write(rows(64 * 1024));
    };
    source.on('drain', pump);
    pump();
    for (let turn = 0; turn < 50; turn += 1) await settled();
    expect(source.isPaused()).toBe(true);
    expect(written).toBeLessThan(20);
    const paused = written;
    for (let taken = 0; taken < paused; taken += 1) expect(await kindOf(queue.take())).toBe('rows');
    for (let turn = 0; turn < 50; turn += 1) await settled();
    expect(written).toBeGreaterThan(paused);
    for (let taken = 0; taken < 100 - paused; taken += 1) expect(await kindOf(queue.take())).toBe('rows');
  });

  it('drops the rows of a statement that was given up, keeps its last word, and reads on', async () => {
    const { source, queue } = open();
    source.write(rows(600 * 1024));
    await settled();
    queue.discardRows();
    expect(source.isPaused()).toBe(false);
    source.write(Buffer.concat([rows(600 * 1024), rows(600 * 1024), encodeFrame('failed')]));
    expect(await kindOf(queue.take())).toBe('failed');
    queue.keepRows();
    source.write(rows(1));
    expect(await kindOf(queue.take())).toBe('rows');
  });

  it('ends for who waits and who comes later, after what had come', async () => {
    const { source, queue } = open();
    source.write(encodeFrame('columns'));
    await settled();
    source.destroy(new Error('reset'));
    await settled();
    expect(await kindOf(queue.take())).toBe('columns');
    expect(await queue.take()).toBeUndefined();
    expect(await queue.take()).toBeUndefined();
  });

  it('ends at the first thing that is no frame, and tells', async () => {
    const { source, queue, garbage } = open();
    const waiting = queue.take();
    source.write(Buffer.from([99, 1, 2, 3, 4, 5]));
    expect(await waiting).toBeUndefined();
    expect(garbage).toHaveLength(1);
    source.write(encodeFrame('ready'));
    await settled();
    expect(await queue.take()).toBeUndefined();
  });
});
