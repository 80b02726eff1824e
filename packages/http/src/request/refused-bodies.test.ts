import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProblemError, REFUSED_BODY_BYTES_MAX } from '@sluice/contract';
import { z } from 'zod';
import { errorOf, operation, type Started, startApp } from '../../testing/start-app.ts';
import { json, route } from '../index.ts';

const BYTES = 4 * 2 ** 20;
const taking = operation({
  id: 'taking',
  method: 'POST',
  path: '/taking',
  credentials: ['idtoken'],
  body: { schema: z.array(z.string()), mediaTypes: ['application/json'], bytesMax: BYTES, valuesMax: 100 },
});

const uploading = operation({
  id: 'uploading',
  method: 'POST',
  path: '/uploading',
  credentials: ['idtoken'],
  upload: { contents: { 'text/csv': undefined }, bytesMax: 2 * REFUSED_BODY_BYTES_MAX },
});

let started: Started;
beforeAll(async () => {
  started = await startApp({
    routes: [
      route(taking, async () => json(200, {})),
      route(uploading, async ({ upload }) => {
        let last: Uint8Array = Buffer.alloc(0);
        for await (const chunk of upload.bytes) last = chunk;
        if (last.at(-1) === 0x21) throw new ProblemError('invalid_request', 'The file is not valid.');
        return json(200, {});
      }),
    ],
  });
});
afterAll(async () => await started[Symbol.asyncDispose]());

const post = (body: string, idtoken = 'ann@acme') => started.post('/taking', body, { idtoken });
const VALID = JSON.stringify(['x'.repeat(BYTES - 4)]);
const REFUSED = VALID.replace(/..$/, ',]');
const MANY_VALUES = `[${'1,'.repeat(BYTES / 2 - 2)}1]`;

describe('refused bodies', () => {
  it('are refused by the number of their values after little work', async () => {
    await post(MANY_VALUES, 'warm@globex');
    const before = process.cpuUsage();
    const response = await post(MANY_VALUES, 'warm@globex');
    const { user, system } = process.cpuUsage(before);
    expect(await response.json()).toMatchObject({
      error: 'invalid_request',
      details: [{ path: 'body', message: 'must not hold more than 100 values' }],
    });
    // About 20 ms in the host and in this test. Parsing and checking the two million values takes 1,000 ms.
    expect((user + system) / 1000).toBeLessThan(500);
  });

  it('count for their account, which gets 429 with Retry-After beyond its budget, and for no other', async () => {
    for (let bytes = 0; bytes < REFUSED_BODY_BYTES_MAX; bytes += BYTES) {
      expect((await post(VALID)).status).toBe(200);
      expect(await errorOf(await post(REFUSED))).toEqual([400, 'malformed_json']);
    }
    const response = await post('["a"]');
    expect(await errorOf(response)).toEqual([429, 'too_many_requests']);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    for (const other of ['bob@acme', 'ann@globex']) expect((await post('["a"]', other)).status).toBe(200);
  });

  it('count as uploads too, which the handler refuses, the largest one as a quarter of the budget', async () => {
    const upload = (size: number, end: string, idtoken = 'cleo@acme') =>
      started.post('/uploading', `${'x'.repeat(size - 1)}${end}`, { idtoken, 'content-type': 'text/csv' });
    for (const size of [2 * REFUSED_BODY_BYTES_MAX, ...Array(6).fill(BYTES)]) {
      expect((await upload(BYTES, '.')).status).toBe(200);
      expect(await errorOf(await upload(size, '!'))).toEqual([400, 'invalid_request']);
    }
    expect(await errorOf(await upload(BYTES, '.'))).toEqual([429, 'too_many_requests']);
    expect(await errorOf(await post('["a"]', 'cleo@acme'))).toEqual([429, 'too_many_requests']);
    expect((await upload(BYTES, '.', 'bob@acme')).status).toBe(200);
  });
});
