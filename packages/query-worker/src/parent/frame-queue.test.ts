import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { encodeFrame, encodeRowsHeader, type Frame } from '../protocol/frames.ts';
import { FrameQueue } from './frame-queue.ts';

const rows = (bytes: number): Buffer => Buffer.concat([encodeRowsHeader(1, bytes), Buffer.alloc(bytes, 'x')]);
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const kindOf = async (frame: Promise<Frame | undefined>): Promise<string | undefined> => (await frame)?.kind;

function open(): { source: PassThrough; queue: FrameQueue; failures: Error[] } {
  const source = new PassThrough({ highWaterMark: 64 * 1024 });
  const failures: Error[] = [];
  return { source, queue: new FrameQueue(source, (cause) => failures.push(cause)), failures };
}

describe('FrameQueue', () => {
  it('returns frames in order, to a waiting reader and to later ones', async () => {
    const { source, queue } = open();
    const first = queue.next();
    source.write(Buffer.concat([encodeFrame('ready'), encodeFrame('columns'), encodeFrame('end')]));
    expect([await kindOf(first), await kindOf(queue.next()), await kindOf(queue.next())]).toEqual([
      'ready',
      'columns',
      'end',
    ]);
  });

  it('pauses the channel while frames are not read, and resumes it when they are', async () => {
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
    for (let read = 0; read < paused; read += 1) expect(await kindOf(queue.next())).toBe('rows');
    for (let turn = 0; turn < 50; turn += 1) await settled();
    expect(written).toBeGreaterThan(paused);
    for (let read = 0; read < 100 - paused; read += 1) expect(await kindOf(queue.next())).toBe('rows');
  });

  it('drops the rows of a cancelled statement, keeps its last frame, and continues', async () => {
    const { source, queue } = open();
    source.write(rows(600 * 1024));
    await settled();
    queue.discardRows();
    expect(source.isPaused()).toBe(false);
    source.write(Buffer.concat([rows(600 * 1024), rows(600 * 1024), encodeFrame('failed')]));
    expect(await kindOf(queue.next())).toBe('failed');
    queue.keepRows();
    source.write(rows(1));
    expect(await kindOf(queue.next())).toBe('rows');
  });

  it('returns the received frames and then undefined when the channel fails', async () => {
    const { source, queue } = open();
    source.write(encodeFrame('columns'));
    await settled();
    source.destroy(new Error('reset'));
    await settled();
    expect(await kindOf(queue.next())).toBe('columns');
    expect(await queue.next()).toBeUndefined();
    expect(await queue.next()).toBeUndefined();
  });

  it('ends at the first invalid frame and reports it', async () => {
    const { source, queue, failures } = open();
    const waiting = queue.next();
    source.write(Buffer.from([99, 1, 2, 3, 4, 5]));
    expect(await waiting).toBeUndefined();
    expect(failures).toHaveLength(1);
    source.write(encodeFrame('ready'));
    await settled();
    expect(await queue.next()).toBeUndefined();
  });
});
