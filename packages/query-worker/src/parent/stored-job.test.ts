import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatSpec } from '@sluice/engine/testing';
import { newResultKey } from '@sluice/result-store/form';
import { jobOf, never, openPool, runIn, type TestPool } from '../../testing/workers.ts';
import type { QueryJob, ReadStored } from '../protocol/query-job.ts';

let test: TestPool;
beforeAll(async () => {
  test = await openPool({ workersMax: 1 });
});
afterAll(async () => {
  await test[Symbol.asyncDispose]();
});

const IDENTITY = {
  tenantId: '11111111-1111-4111-8111-111111111111',
  queryId: '22222222-2222-4222-8222-222222222222',
};
const SQL = `SELECT i AS id, md5(i::VARCHAR) AS text FROM range(70000) AS r(i)`;

interface Kept {
  readonly key: Buffer;
  readonly bytes: Buffer;
}

async function keep(sql: string): Promise<Kept> {
  const key = newResultKey();
  const facts = { engine: 'duckdb', ranAtMs: 1, sqlSha256: 'ab', parameters: '' };
  const job = {
    ...jobOf(sql, 'acme', formatSpec({ name: 'csv' })),
    keep: { ...IDENTITY, key: key.toString('base64'), ...facts },
  };
  const pieces: Buffer[] = [];
  using lease = await test.acquire('acme', never());
  const events = lease.run(job, never(), undefined, (part) => {
    if (part.kind === 'bytes') pieces.push(Buffer.from(part.bytes));
    if (part.kind === 'bytes') part.release();
    return true;
  });
  for await (const event of events) if (event.kind === 'rows') event.release?.();
  return { key, bytes: Buffer.concat(pieces) };
}

const storedJob = ({ key, bytes }: Kept, name: 'csv' | 'json' | 'xlsx' | 'parquet'): QueryJob => ({
  ...jobOf('', 'acme', formatSpec({ name })),
  stored: { ...IDENTITY, key: key.toString('base64'), bytes: bytes.byteLength, ranAtMs: 1 },
});

const readFrom =
  ({ bytes }: Kept): ReadStored =>
  async (start, end) =>
    bytes.subarray(start, end);

async function render(job: QueryJob, readStored: ReadStored, signal = never()): Promise<string> {
  const pieces: Buffer[] = [];
  let hasEnded = false;
  using lease = await test.acquire('acme', never());
  for await (const event of lease.run(job, signal, undefined, undefined, readStored)) {
    hasEnded = event.kind === 'end';
    if (event.kind === 'rows') pieces.push(Buffer.from(event.bytes));
    if (event.kind === 'rows') event.release?.();
  }
  expect(hasEnded).toBe(true);
  return Buffer.concat(pieces).toString('latin1');
}

describe('a job that renders a kept result', () => {
  it.each(['csv', 'json', 'xlsx', 'parquet'] as const)('has the bytes of its statement as %s', async (name) => {
    const kept = await keep(SQL);
    const rendered = await render(storedJob(kept, name), readFrom(kept));
    const pieces: Buffer[] = [];
    using lease = await test.acquire('acme', never());
    for await (const event of lease.run(jobOf(SQL, 'acme', formatSpec({ name })), never())) {
      if (event.kind === 'rows') pieces.push(Buffer.from(event.bytes));
      if (event.kind === 'rows') event.release?.();
    }
    expect(rendered === Buffer.concat(pieces).toString('latin1')).toBe(true);
  });

  it.each(['csv', 'parquet'] as const)(
    'fails as %s with the error of its source, and its worker runs on',
    async (name) => {
      const kept = await keep(SQL);
      let reads = 0;
      const failing: ReadStored = async (start, end) => {
        reads += 1;
        if (reads === 2) throw new Error('the store failed');
        return kept.bytes.subarray(start, end);
      };
      await expect(render(storedJob(kept, name), failing)).rejects.toThrow('the store failed');
      expect(await runIn(test, jobOf('SELECT 7 AS a', 'acme', formatSpec({ name: 'csv' })))).toBe('7\n');
    },
  );

  it.each(['csv', 'parquet'] as const)('fails as %s for a result that was changed or cut', async (name) => {
    const kept = await keep(SQL);
    for (const at of [100, kept.bytes.byteLength >> 1, kept.bytes.byteLength - 10]) {
      const bytes = Buffer.from(kept.bytes);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      const job = storedJob(kept, name);
      if (at > 100) await expect(render(job, readFrom({ ...kept, bytes }))).rejects.toMatchObject({ code: 'internal' });
      await expect(render(job, async (start, end) => kept.bytes.subarray(start, end - 1))).rejects.toMatchObject({
        code: 'internal',
      });
    }
    const other = { ...storedJob(kept, name) };
    const stored = { ...(other.stored ?? storedJob(kept, name).stored), queryId: IDENTITY.tenantId };
    await expect(render({ ...other, stored } as QueryJob, readFrom(kept))).rejects.toMatchObject({ code: 'internal' });
  });

  it('stops at once when it is cancelled while it waits for its source', async () => {
    const kept = await keep(SQL);
    const stop = new AbortController();
    const late: ReadStored = async (start, end) => {
      stop.abort(new Error('the reader left'));
      return kept.bytes.subarray(start, end);
    };
    await expect(render(storedJob(kept, 'csv'), late, stop.signal)).rejects.toThrow('the reader left');
    expect(await render(storedJob(kept, 'csv'), readFrom(kept))).toContain('69999,');
  });
});
