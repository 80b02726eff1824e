import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { RunningHost } from '@sluice/host-runtime';
import { startRedis, type TestRedis } from '@sluice/shared-state/testing';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { runAuditCommand } from '../../src/commands/run-audit-command.ts';
import { startApiHost } from '../../src/index.ts';
import { type AuditReader, allPages, auditReader, writeRecords } from './audit-readers.ts';
import { createOldLog } from './old-log.ts';

// Run by `npm run test:redis`, which starts a Redis server.
let redis: TestRedis;
let test: TestHost;
let other: RunningHost;
let reader: AuditReader;

const FROM = new Date(Date.now() - 86_400_000);

beforeAll(async () => {
  redis = await startRedis({ password: 'of-the-operator' });
  const masterKey = randomBytes(32);
  const settings = { REDIS_URL: redis.url, SLUICE_MASTER_KEY: masterKey.toString('base64') };
  const oldLog = await createOldLog({
    masterKey,
    sealedMs: Date.now() - 3_600_000,
    write: (log) => writeRecords(log, 120, { from: FROM }),
  });
  test = await startTestHost(settings, { now: () => Date.now() }, oldLog);
  other = await startApiHost({ environment: test.environment });
  reader = await auditReader(test);
}, 120_000);
afterAll(async () => {
  await other?.[Symbol.asyncDispose]();
  await test?.[Symbol.asyncDispose]();
  await redis?.[Symbol.asyncDispose]();
});

describe('two API hosts on one Redis', () => {
  it("accept each other's page tokens, with one view", async () => {
    const wanted = { size: 50, sort_value: 'asc', start: FROM.getTime(), end: Date.now() - 3_600_000 };
    const first = await reader.search(wanted);
    const second = await reader.next(first.body.next_page_token, other.url);
    const third = await reader.next(second.body.next_page_token);
    const ordinals = [first, second, third].flatMap(({ body }) =>
      body.data.map(({ metadata }: { metadata: { ordinal: number } }) => metadata.ordinal),
    );
    expect(ordinals).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
    expect(third.body.next_page_token).toBeUndefined();
  });

  it('seal one chain without a gap or a fork', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, index) => reader.search({}, index % 2 ? other.url : test.url)));
    const deadline = performance.now() + 5000;
    const unsealed = `select 1 from audit_log l where not exists (select 1 from audit_chain c where c.record_id = l.id)`;
    while ((await test.rows(unsealed)).length > 0)
      if (performance.now() > deadline) throw new Error('not sealed in 5 s');
    const said: string[] = [];
    const environment = { DATABASE_URL: test.testDatabase.apiUrl };
    const code = await runAuditCommand({ argv: ['verify'], environment, say: (line) => said.push(line) });
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(said.join('\n')).toContain(test.acme.tenantId);
  });
});

describe('the state of a page in Redis', () => {
  const PAST = { size: 50, start: FROM.getTime(), end: Date.now() - 3_600_000 };
  const tokenOf = async (by: AuditReader = reader): Promise<string> => (await by.search(PAST)).body.next_page_token;
  const keyOf = (token: string): string =>
    `sluice:value:audit-page:${createHash('sha256').update(token).digest('base64url')}`;
  const stored = async (token: string): Promise<string> => {
    const [length = '', value = ''] = (await redis.command('GET', keyOf(token))).split('\r\n').slice(1);
    expect(length).toBe(`$${value.length}`);
    return value;
  };
  const refusedWith = async (token: string, value: string): Promise<void> => {
    expect(await redis.command('SET', keyOf(token), value)).toContain('OK');
    const { status, body } = await reader.next(token);
    expect([status, body.error]).toEqual([400, 'invalid_page_token']);
  };

  it('is rejected after a change of any byte, with a later expiry, for another account and under another token', async () => {
    const token = await tokenOf();
    const value = await stored(token);
    // Every byte of the MAC, and every seventh byte of the value.
    for (let at = 0; at < value.length; at += at < 43 ? 1 : 7) {
      const changed = value[at] === '1' ? '2' : '1';
      await refusedWith(token, value.slice(0, at) + changed + value.slice(at + 1));
    }
    await refusedWith(token, value.replace(/"expiresMs":\d+/, '"expiresMs":9999999999999'));
    await refusedWith(token, value.replace('"desc"', '"desc; drop table audit_log"'));
    await refusedWith(token, '');
    const colleague = await auditReader(test, { email: 'arthur@example.com' });
    await refusedWith(token, await stored(await tokenOf(colleague)));
    await refusedWith(token, await stored(await tokenOf()));
    await redis.command('SET', keyOf(token), value);
    expect((await reader.next(token)).status).toBe(200);
  });

  it('expires after 120 seconds although Redis keeps it', async () => {
    const token = await tokenOf();
    await redis.command('PERSIST', keyOf(token));
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now + 121_000);
    try {
      expect((await reader.next(token)).body.error).toBe('invalid_page_token');
    } finally {
      clock.mockRestore();
    }
  });
});

describe('a search while Redis is unavailable', () => {
  const whole = { size: 1000, start: FROM.getTime(), end: Date.now() - 3_600_000 };

  it('returns a single page, and otherwise 503 with a sentence about page tokens; a single host stores them itself', async () => {
    const token = (await reader.search({ ...whole, size: 50 })).body.next_page_token;
    await redis.kill();
    const first = await reader.search(whole);
    expect([first.status, first.body.data.length, first.body.next_page_token]).toEqual([200, 120, undefined]);
    for (const { status, headers, body } of [await reader.search({ ...whole, size: 50 }), await reader.next(token)]) {
      expect([status, body.error, headers['retry-after']]).toEqual([503, 'service_unavailable', '2']);
      expect(body.message).toMatch(/page token/i);
      expect(body.message).not.toContain('queries');
    }
    await other[Symbol.asyncDispose]();
    const pages = await allPages(reader, { ...whole, size: 50 });
    expect(pages.map(({ data }) => data.length)).toEqual([50, 50, 20]);
    // Redis must respond again before the hosts close.
    await redis.start();
  });
});
