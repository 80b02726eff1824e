import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type BodyFault, type CuttingProxy, startCuttingProxy } from './cutting-proxy.ts';

const BODY = 'x'.repeat(1000);

let host: Server;
let requests = 0;
let proxy: CuttingProxy;
beforeAll(async () => {
  host = createServer((_request, response) => {
    requests += 1;
    response.end(BODY);
  }).listen(0, '127.0.0.1');
  await once(host, 'listening');
  proxy = await startCuttingProxy(`http://127.0.0.1:${(host.address() as AddressInfo).port}`);
});
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  host?.closeAllConnections();
  host?.close();
});
afterEach(() => proxy.reset());

/** Requests the body and returns the bytes that arrived, with the code of the error that ended them. */
async function read(): Promise<{ bytes: number; ending: string }> {
  let bytes = 0;
  try {
    // Since Node 24 a reset is an error of the request too, after its response has begun.
    const request = get(proxy.url, { agent: false }).on('error', () => undefined);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    return { bytes, ending: 'end' };
  } catch (error) {
    return { bytes, ending: String(Reflect.get(error as Error, 'code')) };
  }
}

describe('the proxy', () => {
  it('forwards a response unchanged', async () => {
    expect(await read()).toEqual({ bytes: 1000, ending: 'end' });
  });

  it.each([
    ['cut', 'ECONNRESET'],
    ['reset', 'ECONNRESET'],
    ['end', 'end'],
  ] as const)('damages a body by %s', async (kind, ending) => {
    for (const afterBytes of [0, 1, 999]) {
      proxy.damage('/', { kind, afterBytes });
      const received = await read();
      expect(received.ending).toBe(ending);
      // A reset may overtake the bytes before it.
      if (kind !== 'reset') expect(received.bytes).toBe(afterBytes);
    }
  });

  it('damages as many bodies as it should', async () => {
    proxy.damage('/', { kind: 'end', afterBytes: 1, times: 2 });
    expect([(await read()).bytes, (await read()).bytes, (await read()).bytes]).toEqual([1, 1, 1000]);
  });

  it.each([
    [{ kind: 'slow', afterBytes: 500, bytesPerSecond: 2500 }, 150],
    [{ kind: 'pause', afterBytes: 500, pauseMs: 200 }, 190],
    [{ kind: 'pause', afterBytes: 0, pauseMs: 200 }, 190],
  ] satisfies [BodyFault, number][])('delays a body (%j)', async (fault, minMs) => {
    proxy.damage('/', fault);
    const started = performance.now();
    expect(await read()).toEqual({ bytes: 1000, ending: 'end' });
    expect(performance.now() - started).toBeGreaterThan(minMs);
  });

  it('delays a request', async () => {
    proxy.reply('/', { delayMs: 200 });
    const started = performance.now();
    expect(await read()).toEqual({ bytes: 1000, ending: 'end' });
    expect(performance.now() - started).toBeGreaterThan(190);
  });

  it('stalls a body', async () => {
    proxy.damage('/', { kind: 'stall', afterBytes: 10 });
    const request = get(proxy.url, { agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const [chunk] = (await once(response, 'data')) as [Buffer];
    expect(chunk.length).toBe(10);
    const ending = await Promise.race([once(response, 'end'), new Promise((resolve) => setTimeout(resolve, 100))]);
    expect(ending).toBeUndefined();
    request.destroy();
  });

  it.each([
    ['unsent', 0],
    ['lost', 1],
  ] as const)('fails before the headers (%s), when the host got %d requests', async (fault, seen) => {
    const before = requests;
    proxy.reply('/', fault);
    expect(await read()).toEqual({ bytes: 0, ending: 'ECONNRESET' });
    expect(requests - before).toBe(seen);
    expect(await read()).toEqual({ bytes: 1000, ending: 'end' });
  });

  it('replies in place of the host', async () => {
    const before = requests;
    proxy.reply('/', { status: 503, headers: { 'retry-after': '1' }, body: 'later' });
    expect(await read()).toEqual({ bytes: 5, ending: 'end' });
    expect(requests).toBe(before);
  });
});
