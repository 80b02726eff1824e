import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningHost } from '@sluice/host';
import { startRedis, type TestRedis } from '@sluice/shared-state/testing';
import { startApiHost } from '../../src/index.ts';
import { runAuditCommand } from '../../src/run-audit-command.ts';
import { startTestHost, type TestHost } from '../start-test-host.ts';
import { type AuditReader, auditReader, writeRecords } from './audit-readers.ts';

// Run by `npm run test:redis`, which sees to a Redis; `npm test` needs no server.
let redis: TestRedis;
let test: TestHost;
let other: RunningHost;
let reader: AuditReader;

const FROM = new Date(Date.now() - 86_400_000);

beforeAll(async () => {
  redis = await startRedis();
  test = await startTestHost({ REDIS_URL: redis.url });
  other = await startApiHost({ environment: test.environment });
  reader = await auditReader(test);
  await writeRecords(test, 120, { from: FROM });
}, 120_000);
afterAll(async () => {
  await other?.[Symbol.asyncDispose]();
  await test?.[Symbol.asyncDispose]();
  await redis?.[Symbol.asyncDispose]();
});

describe('two API hosts before one Redis', () => {
  it('serve the page tokens of one another, with one view', async () => {
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
