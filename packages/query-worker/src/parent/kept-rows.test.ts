import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { formatSpec } from '@sluice/engine/testing';
import { ChunkCipher, DamagedResultError, newResultKey, ResultReader, rowsOfList } from '@sluice/result-store/form';
import { jobOf, never, openPool, runIn, type TestPool } from '../../testing/workers.ts';
import type { KeepSpec, QueryJob, StoredPart } from '../protocol/query-job.ts';

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

function keptJob(sql: string, name: 'csv' | 'trino' = 'csv'): { readonly job: QueryJob; readonly key: Buffer } {
  const key = newResultKey();
  const facts = { engine: 'duckdb', ranAtMs: 1, sqlSha256: 'ab', parameters: '{"low":1}' };
  const keep: KeepSpec = { ...IDENTITY, key: key.toString('base64'), ...facts };
  return { job: { ...jobOf(sql, 'acme', formatSpec({ name })), keep }, key };
}

interface Parts {
  readonly bytes: Buffer[];
  readonly others: StoredPart[];
  sent: string;
}

/** Runs a job to its end, and takes parts of its kept result while `wants` returns true. */
async function run(job: QueryJob, wants: (parts: Parts) => boolean = () => true): Promise<Parts> {
  const parts: Parts = { bytes: [], others: [], sent: '' };
  using lease = await test.acquire(job.engine.key, never());
  const onStored = (part: StoredPart): boolean => {
    if (part.kind !== 'bytes') parts.others.push(part);
    else {
      parts.bytes.push(Buffer.from(part.bytes));
      part.release();
    }
    return wants(parts);
  };
  for await (const event of lease.run(job, never(), undefined, onStored)) {
    if (event.kind === 'rows') parts.sent += Buffer.from(event.bytes).toString('utf8');
    if (event.kind === 'rows') event.release?.();
  }
  return parts;
}

async function open({ bytes }: Parts, key: Buffer): Promise<ResultReader> {
  const stored = Buffer.concat(bytes);
  const source = { length: stored.byteLength, read: async (start: number, end: number) => stored.subarray(start, end) };
  return ResultReader.open(source, new ChunkCipher(key, IDENTITY));
}

const SQL = `SELECT i AS id, 'row ' || i AS label FROM range(60000) AS r(i)`;

describe('a job whose rows are kept', () => {
  it('sends the rows sealed, beside the same stream', async () => {
    const { job, key } = keptJob(SQL);
    const parts = await run(job);
    expect(parts.sent).toBe(await runIn(test, jobOf(SQL, 'acme', formatSpec({ name: 'csv' }))));
    const reader = await open(parts, key);
    const rows: string[] = [];
    for await (const { list, rows: count } of reader.chunks())
      rows.push(Buffer.from(rowsOfList(list, 0, count)).toString('utf8'));
    const text = Array.from({ length: 60_000 }, (_, id) => `[${id},"row ${id}"]`).join(',');
    expect(rows.join(',') === text).toBe(true);
    const sha256 = createHash('sha256').update(text).digest('hex');
    expect(parts.others).toEqual([{ kind: 'end', end: { rows: 60_000, rowBytes: text.length, sha256 } }]);
    expect(reader.header).toMatchObject({ engine: 'duckdb', timeZone: 'UTC', fileTypes: ['BIGINT', 'VARCHAR'] });
    expect(reader.header).toMatchObject({ sql: SQL, parameters: '{"low":1}' });
    expect(Buffer.concat(parts.bytes).includes('label')).toBe(false);
  });

  it('keeps the rows of a client of Trino as they are sent', async () => {
    const { job, key } = keptJob(
      `SELECT i AS id, 'a\n' || repeat('é', i % 7) AS label FROM range(200000) AS r(i)`,
      'trino',
    );
    const parts = await run(job);
    const sha256 = createHash('sha256').update(parts.sent).digest('hex');
    const rowBytes = Buffer.byteLength(parts.sent);
    expect(parts.others).toEqual([{ kind: 'end', end: { rows: 200_000, rowBytes, sha256 } }]);
    const reader = await open(parts, key);
    const lists: string[] = [];
    for await (const { list } of reader.chunks()) lists.push(list.subarray(1, -1).toString('utf8'));
    expect(lists.length).toBeGreaterThan(1);
    expect(lists.join(',') === parts.sent).toBe(true);
    expect(reader.header.fileTypes).toEqual(['BIGINT', 'VARCHAR']);
  });

  it('keeps a large row of a client of Trino, which is sent in pieces', async () => {
    const sql = `SELECT repeat('x', n) AS v FROM (VALUES (1), (3000000), (2)) AS t(n)`;
    const { job, key } = keptJob(sql, 'trino');
    const parts = await run(job);
    const reader = await open(parts, key);
    const rows: { readonly length: number }[][] = [];
    for await (const { list } of reader.chunks()) rows.push(...JSON.parse(list.toString('utf8')));
    expect(rows.map(([text]) => text?.length)).toEqual([1, 3_000_000, 2]);
    expect(reader.end.sha256).toBe(createHash('sha256').update(parts.sent).digest('hex'));
  });

  it('streams on after its host has read slowly, when only sealed bytes still wait to be written', async () => {
    const { job, key } = keptJob(`SELECT md5(i::VARCHAR) || sha256(i::VARCHAR) AS m FROM range(100000) AS r(i)`);
    const parts: Parts = { bytes: [], others: [], sent: '' };
    using lease = await test.acquire(job.engine.key, never());
    const onStored = (part: StoredPart): boolean => {
      if (part.kind === 'bytes') parts.bytes.push(Buffer.from(part.bytes));
      if (part.kind === 'bytes') part.release();
      return true;
    };
    let rows = 0;
    for await (const event of lease.run(job, never(), undefined, onStored)) {
      if (event.kind !== 'rows') continue;
      rows += event.rows;
      event.release?.();
      await wait(20);
    }
    expect(rows).toBe(100_000);
    expect((await open(parts, key)).end.rows).toBe(100_000);
  });

  it('streams on when its host wants no more of the kept result, and sends none of it then', async () => {
    const parts = await run(keptJob(`SELECT i, md5(i::VARCHAR) AS m FROM range(400000) AS r(i)`).job, () => false);
    expect(parts.sent.split('\n')).toHaveLength(400_001);
    expect(parts.others).toEqual([]);
    expect(parts.bytes.length).toBeLessThan(10);
  });

  it('streams a row that is too large to be kept, and says why it is not', async () => {
    const parts = await run(keptJob(`SELECT repeat('x', 17 * 1024 * 1024) AS v`).job);
    expect(parts.sent.length).toBe(17 * 1024 * 1024 + 1);
    expect(parts.others).toEqual([{ kind: 'not kept', reason: 'A row is larger than 16 MiB.' }]);
  });

  it('has no end when its statement fails, or its worker is killed', async () => {
    const failing = keptJob(
      `SELECT i, CASE WHEN i = 300000 THEN error('leak') ELSE 'x' END AS v FROM range(400000) AS r(i)`,
    );
    const parts: Parts = { bytes: [], others: [], sent: '' };
    const failed = (async () => {
      using lease = await test.acquire('acme', never());
      const onStored = (part: StoredPart): boolean => {
        if (part.kind === 'bytes') parts.bytes.push(Buffer.from(part.bytes));
        else parts.others.push(part);
        return true;
      };
      for await (const _ of lease.run(failing.job, never(), undefined, onStored));
    })();
    await expect(failed).rejects.toThrow('leak');
    expect(parts.others).toEqual([]);
    await expect(open(parts, failing.key)).rejects.toBeInstanceOf(DamagedResultError);

    const killed = keptJob('SELECT i, md5(i::VARCHAR) AS m FROM range(100000000) AS r(i)');
    const running = run(killed.job, (some) => {
      if (some.bytes.length === 3) for (const pid of test.pool.pids) process.kill(pid, 'SIGKILL');
      parts.bytes.splice(0, parts.bytes.length, ...some.bytes);
      return true;
    });
    await expect(running).rejects.toMatchObject({ code: 'engine_crashed' });
    expect(parts.others).toEqual([]);
    await expect(open(parts, killed.key)).rejects.toBeInstanceOf(DamagedResultError);
  });
});
