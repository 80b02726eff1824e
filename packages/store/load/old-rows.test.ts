import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import pg from 'pg';
import { deleteOldIdempotencyKeys } from '../src/catalog/idempotency-key-repository.ts';
import { createDatabase, type Database } from '../src/database/database.ts';
import { createSessionStore } from '../src/identity/session-store.ts';
import { createTenantStore } from '../src/identity/tenant-store.ts';
import { createQueryHistoryStore } from '../src/queries/query-history-store.ts';

const ROWS = 1_000_000;
const KEPT_MS = 86_400_000;

let test: TestDatabase;
let api: Database;
let stream: Database;
let superuser: pg.Client;
let tenantId: string;

beforeAll(async () => {
  test = await createTestDatabase();
  // The time limits of a host.
  api = createDatabase({ url: test.apiUrl });
  stream = createDatabase({ url: test.streamUrl });
  superuser = new pg.Client({ connectionString: test.superuserUrl });
  await superuser.connect();
  tenantId = (await createTenantStore(api).create({ name: 'acme' })).id;
}, 120_000);
afterAll(async () => {
  await superuser.end();
  await api[Symbol.asyncDispose]();
  await stream[Symbol.asyncDispose]();
  await test.dispose();
});

const OLD = `now() - interval '3 days'`;
const ROW_OF = {
  sessions: `insert into sessions (tenant_id, sid, account_kind, account_id, expires)
    select $1, gen_random_uuid(), 'user', gen_random_uuid()`,
  idempotency_keys: `insert into idempotency_keys (tenant_id, account_id, operation, key, request_digest, created)
    select $1, gen_random_uuid(), 'import', i::text, ''`,
  query_history: `insert into query_history (tenant_id, account_id, query_id, action, target, started)
    select $1, gen_random_uuid(), gen_random_uuid(), 'RUN_QUERY', 'query'`,
};

const DELETE_OLD = {
  sessions: () => createSessionStore(api).deleteExpired(),
  idempotency_keys: () => deleteOldIdempotencyKeys(api),
  query_history: () => createQueryHistoryStore(stream).deleteOld(KEPT_MS),
};

it.each(['sessions', 'idempotency_keys', 'query_history'] as const)(
  'a million old rows of %s are removed under the time limit of a statement, and newer ones stay',
  async (table) => {
    const add = (time: string, count: number) =>
      superuser.query(`${ROW_OF[table]}, ${time} from generate_series(1, ${count}) i`, [tenantId]);
    await add(OLD, ROWS);
    await add(`now() + interval '1 hour'`, 1);
    await DELETE_OLD[table]();
    const { rows } = await superuser.query(`select count(*)::int as count from ${table}`);
    expect(rows).toEqual([{ count: 1 }]);
  },
);
