import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { rawExchange } from '../../testing/raw-exchange.ts';
import { type Body, endless, file, GET, serveStream } from '../../testing/serve-stream.ts';
import { operation, startApp } from '../../testing/start-app.ts';
import { route, stream } from '../index.ts';

describe('a stream', () => {
  it('arrives complete and releases its source', async () => {
    const { started, life } = await serveStream(async function* () {
      yield Buffer.from('a,b\n');
      yield Buffer.from('1,2\n');
    });
    await using _ = started;
    const response = await fetch(started.address('/file'));
    expect(await response.text()).toBe('a,b\n1,2\n');
    expect(response.headers.get('x-query-id')).toBe('q-1');
    await started.app.running.whenIdle(1000);
    expect(life.released).toBe(true);
    expect(life.reason).toBeUndefined();
  });

  it('returns the memory of each chunk after it was written, and only then', async () => {
    const memory = Buffer.alloc(300_000);
    let free = true;
    const written: number[] = [];
    const { started } = await serveStream(
      async function* () {
        for (let value = 1; value <= 40; value += 1) {
          while (!free) await new Promise((resolve) => setImmediate(resolve));
          free = false;
          yield memory.fill(value);
        }
      },
      {
        onWritten: (chunk) => {
          written.push(chunk[0] ?? 0);
          free = true;
        },
      },
    );
    await using _ = started;
    const body = Buffer.from(await (await fetch(started.address('/file'))).arrayBuffer());
    const values = Array.from({ length: 40 }, (_, index) => index + 1);
    expect(written).toEqual(values);
    expect(body.equals(Buffer.concat(values.map((value) => Buffer.alloc(300_000, value))))).toBe(true);
  });

  it('may be empty', async () => {
    const { started } = await serveStream(async function* () {});
    await using _ = started;
    const { status, body, headers } = await rawExchange(started.server.port, GET);
    expect([status, body, headers['content-length']]).toEqual([200, '', '0']);
  });

  it('returns a normal problem without the headers of the file if it fails before the first byte', async () => {
    // biome-ignore lint/correctness/useYield: it is to fail before it can
    const { started, life } = await serveStream(async function* () {
      throw new ProblemError('table_not_found', 'There is no table t.', { location: { line: 1, column: 15 } });
    });
    await using _ = started;
    const response = await fetch(started.address('/file'));
    expect(response.status).toBe(400);
    expect(response.headers.get('content-disposition')).toBeNull();
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-query-id')).toBe('q-1');
    expect(await response.json()).toMatchObject({ error: 'table_not_found', location: { line: 1, column: 15 } });
    expect(life.released).toBe(true);
  });

  it('can have its own problem body before the first byte', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield* [];
      throw new ProblemError('engine_unavailable', 'The engine does not answer.', { retryAfterSeconds: 7 });
    };
    const handle = async () =>
      stream({
        status: 200,
        mediaType: 'application/json',
        body: failing(),
        problemBody: (problem) => ({ data: [], error: problem.message, code: problem.streamCode }),
      });
    await using started = await startApp({ routes: [{ operation: file, handle }] });
    const response = await fetch(started.address('/file'));
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '7']);
    const error = 'The engine does not answer.';
    expect(await response.json()).toEqual({ data: [], error, code: 'ENGINE_UNAVAILABLE' });
  });

  it('is cut if it fails after the first byte', async () => {
    const { started } = await serveStream(async function* () {
      yield Buffer.from('a,b\n');
      throw new Error('lost');
    });
    await using _ = started;
    const { status, body } = await rawExchange(started.server.port, GET);
    expect(status).toBe(200);
    expect(body).not.toContain('\r\n0\r\n');
    await expect(fetch(started.address('/file')).then((response) => response.text())).rejects.toThrow();
    expect(started.logLines().some((line) => line['problem'] === 'internal')).toBe(true);
  });

  it('is cut if it fails after its headers were flushed', async () => {
    const failing: Body = async function* () {
      yield* [];
      await wait(20);
      throw new Error('lost');
    };
    const { started } = await serveStream(failing, { flushHeaders: true });
    await using _ = started;
    const { status, body } = await rawExchange(started.server.port, GET);
    expect([status, body]).toEqual([200, '']);
  });

  it('is released without being run for HEAD', async () => {
    const { started, life } = await serveStream(endless);
    await using _ = started;
    const response = await fetch(started.address('/file'), { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-disposition')).toContain('a.csv');
    await started.app.running.whenIdle(1000);
    expect(life.pulled).toBe(0);
  });

  it('is rejected for HTTP/1.0, which cannot signal truncation', async () => {
    const { started } = await serveStream(endless);
    await using _ = started;
    const response = await rawExchange(started.server.port, 'GET /file HTTP/1.0\r\nHost: x\r\n\r\n');
    expect(response.status).toBe(505);
    expect(JSON.parse(response.body)).toMatchObject({ error: 'http_version_not_supported' });
  });

  it('does not affect another stream if it fails', async () => {
    const rows = operation({ id: 'rows', path: '/rows' });
    const broken = operation({ id: 'broken', path: '/broken' });
    const body = async function* (fails: string) {
      for (let index = 0; index < 50; index++) {
        await wait(2);
        if (fails === 'fails' && index === 20) throw new Error('lost');
        yield Buffer.from('x');
      }
    };
    await using started = await startApp({
      routes: [
        route(rows, async () => stream({ status: 200, mediaType: 'text/plain', body: body('') })),
        route(broken, async () => stream({ status: 200, mediaType: 'text/plain', body: body('fails') })),
      ],
    });
    const whole = Array.from({ length: 20 }, () => fetch(started.address('/rows')).then((response) => response.text()));
    const cut = Array.from({ length: 20 }, () => fetch(started.address('/broken')).then((response) => response.text()));
    const results = await Promise.allSettled([...whole, ...cut]);
    expect(results.map(({ status }) => status)).toEqual([
      ...Array(20).fill('fulfilled'),
      ...Array(20).fill('rejected'),
    ]);
  });
});
