import { once } from 'node:events';
import { request } from 'node:http';
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { shortOrLong } from '@sluice/testkit';
import { endless, serveStream, untilAborted } from '../../testing/serve-stream.ts';

/** Node's own client below fetch, which would decompress by itself. */
async function ask(url: string, acceptEncoding: string) {
  const sent = request(url, { headers: { 'accept-encoding': acceptEncoding } }).end();
  const [response] = await once(sent, 'response');
  return { sent, response };
}

async function readBody(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * Waits until a value has not changed for twenty waits in a row. A single wait of that length ends early after the process was not
 * scheduled: its timer is then due before the event loop has handled the socket and the compressor.
 */
async function untilUnchanged(read: () => number): Promise<number> {
  let value = read();
  for (let unchanged = 0; unchanged < 20; unchanged += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (read() !== value) unchanged = 0;
    value = read();
  }
  return value;
}

const ROWS = shortOrLong(1_000, 5_000);
const rows = async function* () {
  for (let row = 0; row < ROWS; row += 1) yield Buffer.from(`${row},some text that repeats itself\n`);
};

describe('a compressed stream', () => {
  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('in %s decodes to the same bytes, and says that it depends on the request', async (coding, decode) => {
    const { started } = await serveStream(rows);
    await using _ = started;
    const { response } = await ask(started.address('/file'), coding);
    expect(response.headers['content-encoding']).toBe(coding);
    expect(response.headers.vary).toContain('Accept-Encoding');
    const body = await readBody(response);
    const plain = await (await ask(started.address('/file'), 'identity')).response;
    expect(decode(body).equals(await readBody(plain))).toBe(true);
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it('sends its first row before the second is computed', async () => {
    const { started } = await serveStream(
      async function* (signal) {
        yield Buffer.from('the first row\n');
        await untilAborted(signal);
      },
      { flushHeaders: true },
    );
    await using _ = started;
    const { sent, response } = await ask(started.address('/file'), 'gzip');
    const [decoded] = await once(response.pipe(createGunzip()), 'data');
    expect(String(decoded)).toBe('the first row\n');
    sent.destroy();
  });

  it('is valid if it is empty', async () => {
    const { started } = await serveStream(async function* () {});
    await using _ = started;
    const { response } = await ask(started.address('/file'), 'gzip');
    expect(gunzipSync(await readBody(response))).toHaveLength(0);
  });

  it('is cut on failure, so that transfer and archive are incomplete', async () => {
    const { started } = await serveStream(async function* () {
      yield Buffer.from('a row\n');
      throw new Error('the engine failed');
    });
    await using _ = started;
    const { response } = await ask(started.address('/file'), 'gzip');
    await expect(readBody(response)).rejects.toThrow('aborted');
  });

  it('waits for a client that does not read, and stops when it disconnects', async () => {
    const { started, life, released } = await serveStream(endless);
    await using _ = started;
    const { sent, response } = await ask(started.address('/file'), 'gzip');
    await once(response, 'readable');
    const before = await untilUnchanged(() => life.pulled);
    sent.destroy();
    await released;
    expect(life.pulled).toBe(before);
  });
});
