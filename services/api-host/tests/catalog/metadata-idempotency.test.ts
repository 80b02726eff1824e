import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteOldIdempotencyKeys } from '@sluice/store/catalog';
import {
  auditRecords,
  importMetadata,
  importOf,
  type LoggedIn,
  logInAs,
  seedTable,
  storedMetadata,
} from '@sluice/testkit/fixtures';
import { shareTestHost, type TestHost } from '@sluice/testkit/hosts';

let test: TestHost;
let steward: LoggedIn;

beforeAll(async () => {
  test = await shareTestHost();
  steward = await logInAs(test, ['steward'], test.acme);
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const table = (name: string, changes: object = {}) => importOf({ type: 'TABLE', id: `demo.vega.${name}`, ...changes });
const withKey = (key: string) => ({ 'idempotency-key': key });

describe('an Idempotency-Key', () => {
  it('returns the same response for the same request, applied once and audited each time', async () => {
    const id = await seedTable(test, test.acme, { name: 'once' });
    const first = await importMetadata(test, steward, table('once', { description: 'd' }), withKey('key-1'));
    await importMetadata(test, steward, table('once', { description: 'changed since' }));
    const again = await importMetadata(test, steward, table('once', { description: 'd' }), withKey('key-1'));
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect([first.headers['idempotency-replayed'], again.headers['idempotency-replayed']]).toEqual([undefined, 'true']);
    expect((await storedMetadata(test, id)).description).toBe('changed since');
    expect(await auditRecords(test, again)).toMatchObject([
      { action: 'IMPORT_METADATA', metadata: { replayed: true } },
    ]);
  });

  it('repeats a failure too', async () => {
    const first = await importMetadata(test, steward, table('later'), withKey('key-404'));
    expect(first.status).toBe(404);
    await seedTable(test, test.acme, { name: 'later' });
    const again = await importMetadata(test, steward, table('later'), withKey('key-404'));
    expect([again.status, again.text]).toEqual([404, first.text]);
  });

  it('is rejected with another request', async () => {
    const id = await seedTable(test, test.acme, { name: 'other' });
    await importMetadata(test, steward, table('other', { description: 'one' }), withKey('key-2'));
    const other = await importMetadata(test, steward, table('other', { description: 'two' }), withKey('key-2'));
    expect([other.status, other.body.error]).toEqual([422, 'idempotency_key_reused']);
    expect((await storedMetadata(test, id)).description).toBe('one');
  });

  it('is separate for each user, tenant and dry run', async () => {
    const id = await seedTable(test, test.acme, { name: 'shared' });
    await seedTable(test, test.globex, { name: 'shared' });
    const colleague = await logInAs(test, ['steward'], test.acme);
    const otherTenantAdmin = await logInAs(test, ['steward'], test.globex);
    const trial = { ...table('shared', { description: 'trial' }), dry_run: true };
    expect((await importMetadata(test, steward, trial, withKey('key-3'))).status).toBe(200);
    const senders = [steward, colleague, otherTenantAdmin];
    for (const [index, sender] of senders.entries()) {
      const sent = await importMetadata(test, sender, table('shared', { description: `${index}` }), withKey('key-3'));
      expect([sent.status, sent.body.success_count]).toEqual([200, 1]);
    }
    expect((await storedMetadata(test, id)).description).toBe('1');
  });

  it('sent ten times concurrently is applied once, and all get the same response', async () => {
    const id = await seedTable(test, test.acme, { name: 'burst' });
    const body = table('burst', { add_tags: ['t'], description: 'd' });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => importMetadata(test, steward, body, withKey('key-burst'))),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect(await storedMetadata(test, id)).toMatchObject({ version: '2', tags: ['t'] });
  });

  it('expires after 24 hours', async () => {
    const id = await seedTable(test, test.acme, { name: 'old' });
    const age = (hours: string) =>
      test.rows(`update idempotency_keys set created = now() - $1::interval where key = 'key-old'`, [hours]);
    await importMetadata(test, steward, table('old', { description: 'one' }), withKey('key-old'));
    await age('23 hours 59 minutes');
    await deleteOldIdempotencyKeys(test.database);
    expect((await importMetadata(test, steward, table('old', { description: 'x' }), withKey('key-old'))).status).toBe(
      422,
    );
    await age('24 hours 1 minute');
    const freed = await importMetadata(test, steward, table('old', { description: 'two' }), withKey('key-old'));
    expect([freed.status, freed.headers['idempotency-replayed']]).toEqual([200, undefined]);
    expect((await storedMetadata(test, id)).description).toBe('two');
    await age('24 hours 1 minute');
    await deleteOldIdempotencyKeys(test.database);
    expect(await test.rows(`select 1 from idempotency_keys where key = 'key-old'`)).toEqual([]);
  });

  it('of a rejected request stays unused', async () => {
    await seedTable(test, test.acme, { name: 'bad' });
    expect((await importMetadata(test, steward, table('bad', { tags: null }), withKey('key-4'))).status).toBe(400);
    expect((await importMetadata(test, steward, table('bad'), withKey('key-4'))).status).toBe(200);
  });
});
