import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase, until } from '@sluice/testkit';
import { newQuery } from '../../testing/stored-queries.ts';
import { createDatabase, type Database } from '../database/database.ts';
import { type AccountReference, createAccountStore } from '../identity/account-store.ts';
import { type AuthStatusStore, createAuthStatusStore } from '../identity/auth-status-store.ts';
import { createSessionStore, type SessionStore } from '../identity/session-store.ts';
import { createTenantStore } from '../identity/tenant-store.ts';
import { createQueryStore, type QueryStore } from './query-store.ts';

let test: TestDatabase;
let api: Database;
let stream: Database;
let superuser: Database;
let queries: QueryStore;
let sessions: SessionStore;
/** Statuses as the stream host reads them. */
let statuses: AuthStatusStore;
let account: AccountReference;
let tenantId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  api = createDatabase({ url: test.apiUrl });
  stream = createDatabase({ url: test.streamUrl });
  superuser = createDatabase({ url: test.superuserUrl });
  queries = createQueryStore(stream);
  sessions = createSessionStore(api);
  statuses = createAuthStatusStore(stream);
  tenantId = (await createTenantStore(api).create({ name: 'acme' })).id;
  const user = { tenantId, email: 'ann@example.com', passwordHash: 'x', roles: ['analyst'] };
  account = { tenantId, kind: 'user', id: await createAccountStore(api).putUser(user) };
}, 120_000);
afterAll(async () => {
  for (const database of [api, stream, superuser]) await database[Symbol.asyncDispose]();
  await test.dispose();
});

/** Runs a statement without the limits of the serving roles. */
const asSuperuser = (sql: string, values: readonly unknown[] = []) =>
  superuser.acrossTenants((transaction) => transaction.query(sql, values));

const beginQuery = (sessionId: string): Promise<unknown> =>
  queries.begin(newQuery({ tenantId, accountId: account.id, sessionId }));

describe('a login above the limit of sessions', () => {
  const openedAgo: string[] = [];
  const useSession = (sid: string) =>
    statuses.ofSession({ tenantName: 'acme', sessionId: sid, accountId: account.id, keyId: 'key' });
  const areLive = async (sids: readonly string[]): Promise<boolean[]> => {
    const rows = await asSuperuser('select sid from sessions where revoked_at is null');
    return sids.map((sid) => rows.some((row) => row['sid'] === sid));
  };

  /** Opens the first of three sessions of the account an hour ago, the others later. No other test leaves one. */
  beforeEach(async () => {
    await asSuperuser('delete from sessions');
    openedAgo.length = 0;
    for (const minutes of [60, 40, 20]) {
      const sid = await openSession(3);
      openedAgo.push(sid);
      await asSuperuser(`update sessions set created = now() - $2 * interval '1 minute' where sid = $1`, [
        sid,
        minutes,
      ]);
    }
  });

  const openSession = async (sessionsMax: number): Promise<string> => {
    const sid = randomUUID();
    const audit = { tenantId, user: 'ann@example.com', action: 'LOGIN', target: 'x' } as const;
    await sessions.create({
      tenantId,
      sid,
      account,
      expires: new Date(Date.now() + 3_600_000),
      keyId: 'key',
      sessionsMax,
      audit,
    });
    return sid;
  };
  const liveAfterLogin = async (): Promise<boolean[]> => {
    await openSession(3);
    return await areLive(openedAgo);
  };

  it('ends the one that is idle longest, not the oldest', async () => {
    const [first = ''] = openedAgo;
    // A use is noted beside its request, and a note that fails is left to the next one.
    await until(
      async () => {
        expect((await useSession(first))?.sessionLive).toBe(true);
        return (await asSuperuser('select 1 from sessions where sid = $1 and last_used is not null', [first]))[0];
      },
      { what: 'the note of the use' },
    );
    expect(await liveAfterLogin()).toEqual([true, false, true]);
  });

  it('ends one with a running query or a stream only if all have one', async () => {
    const [first = '', second = '', third = ''] = openedAgo;
    await beginQuery(first);
    await sessions.noteStream(tenantId, second);
    expect(await liveAfterLogin()).toEqual([true, true, false]);
    await asSuperuser(`update sessions set revoked_at = null, last_used = now() where sid = $1`, [third]);
    await beginQuery(third);
    const newest = await openSession(3);
    expect(await areLive([...openedAgo, newest])).toEqual([false, true, true, true]);
  });
});
