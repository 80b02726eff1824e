import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSlowReader } from './slow-reader.ts';

const BYTES = 64 * 1024 * 1024;
let server: Server;
let url: string;
let bytesWritten = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/cut') return void response.write('part', () => response.destroy());
    const chunk = Buffer.alloc(64 * 1024);
    const write = () => {
      while (bytesWritten < BYTES && !response.destroyed) {
        bytesWritten += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

describe('openSlowReader', () => {
  it('slows the server down, and reads the rest at full speed after readAt', async () => {
    bytesWritten = 0;
    using reader = openSlowReader({ url, bytesPerSecond: 1024 });
    await reader.untilBytes(200);
    expect(bytesWritten).toBeLessThan(BYTES / 2);
    expect(reader.received().length).toBeLessThan(64 * 1024);
    reader.readAt(Number.POSITIVE_INFINITY);
    await reader.untilBytes(BYTES);
    expect(reader.received().toString('latin1', 0, 15)).toBe('HTTP/1.1 200 OK');
  });

  it('reports the end of a connection and keeps what was received', async () => {
    using reader = openSlowReader({ url: `${url}/cut` });
    await expect(reader.ended).resolves.toBe('closed');
    expect(reader.received().toString()).toContain('part');
    expect(reader.received().toString()).not.toContain('0\r\n\r\n');
  });

  it('resets the connection on abort', async () => {
    const gone = new Promise((resolve) => server.once('request', (_, response) => response.once('close', resolve)));
    using reader = openSlowReader({ url, bytesPerSecond: 1024 });
    await reader.untilBytes(1);
    reader.abort();
    await gone;
  });
});
