import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { stream } from '../index.ts';
import { sendStream } from './send-stream.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Sends a stream to a socket that records its system calls. */
function send(body: AsyncIterable<Uint8Array>): { writes: string[]; sent: Promise<void> } {
  const writes: string[] = [];
  const socket = new Writable({
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.toString('latin1'));
      done();
    },
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => (chunk as Buffer).toString('latin1')).join(''));
      done();
    },
  });
  const req = new IncomingMessage(new Socket());
  req.httpVersionMajor = 1;
  req.httpVersionMinor = 1;
  const res = new ServerResponse(req);
  res.assignSocket(socket as unknown as Socket);
  const sent = sendStream({
    res,
    answer: stream({ status: 200, mediaType: 'text/csv', body, flushHeaders: true }),
    closed: new Promise((resolve) => res.once('finish', resolve)),
    withoutBody: false,
    coding: undefined,
    start: () => undefined,
  });
  return { writes, sent };
}

describe('the start of a stream', () => {
  it('leaves in one write with headers and end if all of it is small and soon there', async () => {
    const { writes, sent } = send(
      (async function* () {
        for (const text of ['a,b\n', '1,2\n']) {
          await turn();
          yield Buffer.from(text);
        }
        await turn();
      })(),
    );
    await sent;
    expect(writes).toHaveLength(1);
    expect(writes[0]).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\n4\r\na,b\n\r\n4\r\n1,2\n\r\n0\r\n\r\n$/s);
  });

  it('waits 10 ms for more, headers without a body too, and what follows leaves immediately', async () => {
    let resume = (): void => undefined;
    const silence = new Promise<void>((resolve) => {
      resume = resolve;
    });
    const { writes, sent } = send(
      (async function* () {
        await silence;
        yield Buffer.from('late');
        await turn();
        await turn();
        yield Buffer.from('later');
        await turn();
      })(),
    );
    await turn();
    jest.advanceTimersByTime(9);
    expect(writes).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(writes).toHaveLength(1);
    expect(writes[0]).toMatch(/\r\n\r\n$/);
    resume();
    await sent;
    expect(writes.slice(1)).toEqual(['4\r\nlate\r\n', '5\r\nlater\r\n', '0\r\n\r\n']);
  });

  it('does not wait if there is more than 64 KiB', async () => {
    let isOver = false;
    const { writes, sent } = send(
      (async function* () {
        yield Buffer.alloc(65_537, 'x');
        while (!isOver) await turn();
      })(),
    );
    await turn();
    await turn();
    const [first, ...others] = writes;
    isOver = true;
    await sent;
    expect(others).toEqual([]);
    expect(first?.length).toBeGreaterThan(65_537);
  });
});
