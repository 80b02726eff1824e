import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabaseProxy, createTestDatabase, type DatabaseProxy, send, until } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { assertPromptProbes, assertWithin, login } from '@sluice/testkit/requests';
import { type AuditReader, auditReader, readLog } from '../tests/audit/audit-readers.ts';
import { followLog } from '../tests/audit/follow-log.ts';
import { requestEverything } from '../tests/operations/request-everything.ts';

// What an outage causes is tested in tests/operations and tests/audit, beside other tests. These times need a quiet machine.
const REJECTED_MS = 3_000;
const RECOVERED_MS = 5_000;
const REPORTED_MS = 5_000;
const SEALED_MS = 5_000;

let test: TestHost;
let proxy: DatabaseProxy;
let reader: AuditReader;
beforeAll(async () => {
  const testDatabase = await createTestDatabase();
  proxy = await createDatabaseProxy(testDatabase.apiUrl);
  test = await startTestHost({ DATABASE_URL: proxy.url, DATABASE_TIMEOUT: '1s' }, {}, testDatabase);
  reader = await auditReader(test);
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});
afterEach(async () => {
  proxy.restore();
  for (const request of [() => login(test.url), () => reader.search({})])
    await until(async () => ((await request()).status === 200 ? true : undefined), {
      what: 'recovery',
      withinMs: RECOVERED_MS,
    });
});

describe.each(['cut', 'hang'] as const)('while the database is %s', (how) => {
  it('every operation and every read of the audit log gets 503 within 3 s', async () => {
    const { body } = await login(test.url);
    proxy[how]();
    const requests = {
      operations: () => requestEverything(test.url, body),
      'audit log': () => readLog(test.url, reader),
    };
    for (const [kind, request] of Object.entries(requests))
      await assertWithin({ what: `${kind}, database ${how}`, withinMs: REJECTED_MS }, async () => {
        expect(new Set((await request()).map(({ status }) => status))).toEqual(new Set([503]));
      });
  });

  it('the host reports it within 5 s, and probes respond within 200 ms', async () => {
    proxy[how]();
    await until(async () => ((await send(`${test.url}/health`)).body.status === 'degraded' ? true : undefined), {
      what: 'a degraded health',
      withinMs: REPORTED_MS,
    });
    await assertPromptProbes(test.url);
  });
});

it('the follow stream of the audit log sends a new record within 5 s', async () => {
  await assertWithin({ what: 'new audit record in the follow stream', withinMs: SEALED_MS }, async () => {
    let requestId = '';
    const followed = followLog({ url: test.url, reader }, (text) => requestId !== '' && text.includes(requestId));
    requestId = String((await login(test.url)).headers['x-request-id']);
    expect(await followed).toContain(requestId);
  });
});
