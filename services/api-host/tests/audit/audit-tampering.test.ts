import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AuditSigner, createAuditSigner, type Finding, SEAL_VERSION, trustedKeys } from '@sluice/audit';
import {
  createAuditSealStore,
  createAuditVerification,
  openAuditVerification,
  type RunStatement,
  setRetentionFloor,
  setTenantRetention,
} from '@sluice/store/audit';
import { createDatabase, type Database } from '@sluice/store/database';
import { createTenantStore } from '@sluice/store/identity';
import { caseSeed, createTestDatabase, seededRandom, shortOrLong, type TestDatabase } from '@sluice/testkit';
import pg from 'pg';
import { createSealAuditLog } from '../../src/use-cases/audit/seal-audit-log.ts';
import { verifyAuditLog } from '../../src/use-cases/audit/verify-audit-log.ts';
import { sealUnversioned } from './seal-unversioned.ts';

const RECORDS = 30;
const MUTATIONS = shortOrLong(250, 1000);
/** Queries in each of three batches; every query is a record and an outcome. */
const QUERIES = RECORDS / 6;

let testDatabase: TestDatabase;
let database: Database;
let superuser: pg.Client;
let signer: AuditSigner;
let tenantId: string;

const DAY = 86_400_000;
let time = 0;

/** Queries with their receipts, one an hour from the given time on. */
const write = (count: number, from: number) =>
  superuser.query(
    `with made as materialized (
       select i, gen_random_uuid() as id, gen_random_uuid() as query_id, $3::timestamptz + i * interval '1 hour' as started
       from generate_series(1, $2::int) i
     ), receipts as (
       insert into queries (tenant_id, query_id, account_kind, account_id, user_name, host_id, sql, statement_bytes, state, rows, bytes,
         sha256, started, ended, audit_id)
       select $1, query_id, 'user', query_id, 'user' || i % 3, query_id, '',
         length('SELECT ' || i), 'FINISHED', i, i * 10, md5(i::text),
         started, started + interval '1 minute', id from made
     ), records as (
       insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, request_id, query_id, address, user_agent)
       select $1, id, started, 'user' || i % 3, 'RUN_QUERY', 'target' || i,
         jsonb_build_object('size', 9007199254740993, 'sql', 'SELECT ' || i, 'list', array[1.50, 2]), 'req-' || i, query_id,
         '10.0.0.' || i, 'agent' from made
     )
     insert into audit_log (tenant_id, id, record_id, occurred, user_name, action, target, metadata, request_id, query_id, address, user_agent)
     select $1, gen_random_uuid(), id, started + interval '1 minute', 'user' || i % 3, 'RUN_QUERY', 'target' || i,
       jsonb_build_object('state', 'FINISHED', 'rows', i, 'bytes', i * 10, 'sha256', md5(i::text), 'limited', false, 'error', null,
         'size', 9007199254740993, 'list', array[1.50, 2], 'sql', ''),
       'req-' || i, query_id, '10.0.0.' || i, 'agent' from made`,
    [tenantId, count, new Date(from)],
  );

/** Another host each time, which knows the last run only from the database. */
const createSeal = () =>
  createSealAuditLog({
    auditSeals: createAuditSealStore(database),
    signer,
    now: () => time,
    onCut: () => undefined,
  });

const setLastLook = (atMs: number) => superuser.query('update audit_sealer set seen_at = $1', [new Date(atMs)]);

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({ url: testDatabase.apiUrl, poolMax: 2 });
  superuser = new pg.Client({ connectionString: testDatabase.superuserUrl });
  await superuser.connect();
  signer = createAuditSigner(Buffer.alloc(32, 7));
  tenantId = (await createTenantStore(database).create({ name: 'acme' })).id;
  // The oldest are sealed by the previous version, without sealer times.
  time = Date.now() - 19 * DAY;
  await write(QUERIES, time - DAY);
  await sealUnversioned(superuser, { tenantId, signer, now: time });
  for (const daysAgo of [10, 5]) {
    time = Date.now() - (daysAgo - 1) * DAY;
    await write(QUERIES, time - DAY);
    if (daysAgo === 5) await setLastLook(time - DAY);
    await createSeal()();
  }
  await setLastLook(Date.now());
}, 120_000);
afterAll(async () => {
  await superuser.end();
  await database[Symbol.asyncDispose]();
  await testDatabase.dispose();
});

const verify = async (): Promise<{ records: number; finding: Finding | undefined }> => {
  await using log = await openAuditVerification(testDatabase.superuserUrl);
  for await (const { records, finding } of verifyAuditLog({ log, keys: keys(), saved: new Map() }))
    return { records, finding };
  throw new Error('no tenant');
};

interface Mutation {
  readonly name: string;
  readonly kinds: readonly Finding['kind'][];
  /** SQL that changes the record at a sequence, and for some mutations at another one. */
  readonly sql: (sequence: number, other: number) => string;
  /** Expected sequence of the finding, when it differs. */
  readonly pointsAt?: (sequence: number, other: number) => number | undefined;
}

const recordAt = (sequence: number): string =>
  `(tenant_id, occurred, id) = (select tenant_id, occurred, record_id from audit_chain where sequence = ${sequence})`;
const altered = (assignment: string): Mutation => ({
  name: `set ${assignment}`,
  kinds: ['altered'],
  sql: (sequence) => `update audit_log set ${assignment} where ${recordAt(sequence)}`,
});

const MUTATIONS_OF: readonly Mutation[] = [
  altered(`user_name = user_name || ' '`),
  altered(`action = 'LOGIN'`),
  altered(`target = ''`),
  altered(`metadata = jsonb_set(metadata, '{size}', '9007199254740992')`),
  altered(`metadata = jsonb_set(metadata, '{list}', '[1.5, 2]')`),
  altered(`metadata = metadata - 'sql'`),
  altered(`metadata = metadata || '{"more": null}'`),
  altered(`request_id = null`),
  altered(`query_id = gen_random_uuid()`),
  altered(`session_id = gen_random_uuid()`),
  altered(`address = '10.0.0.255'`),
  altered(`user_agent = ''`),
  altered(`record_id = gen_random_uuid()`),
  altered(`xact = '9000000000000000000'`),
  {
    name: 'another time',
    kinds: ['missing'],
    sql: (sequence) =>
      `update audit_log set occurred = occurred + interval '1 microsecond' where ${recordAt(sequence)}`,
  },
  {
    name: 'another tenant',
    kinds: ['missing'],
    sql: (sequence) => `update audit_log set tenant_id = gen_random_uuid() where ${recordAt(sequence)}`,
  },
  { name: 'deleted', kinds: ['missing'], sql: (sequence) => `delete from audit_log where ${recordAt(sequence)}` },
  {
    name: 'place deleted',
    kinds: ['missing'],
    sql: (sequence) => `delete from audit_chain where sequence = ${sequence}`,
  },
  {
    name: 'deleted with its place',
    kinds: ['missing'],
    sql: (sequence) =>
      `delete from audit_log where ${recordAt(sequence)}; delete from audit_chain where sequence = ${sequence}`,
  },
  {
    name: 'tail cut, records and places',
    kinds: ['missing'],
    sql: (sequence) =>
      `delete from audit_log l using audit_chain c where c.sequence >= ${sequence} and l.id = c.record_id; delete from audit_chain where sequence >= ${sequence}`,
  },
  {
    name: 'inserted into the past',
    kinds: ['inserted'],
    sql: (sequence) =>
      `insert into audit_log (tenant_id, id, occurred, user_name, action, target) select tenant_id, gen_random_uuid(), occurred + interval '1 minute', 'eve', 'LOGIN', '' from audit_chain where sequence = ${sequence}`,
    pointsAt: () => undefined,
  },
  {
    name: 'inserted with a place',
    kinds: ['inserted', 'altered', 'missing'],
    sql: (sequence) =>
      `insert into audit_chain select tenant_id, sequence, occurred + interval '1 second', gen_random_uuid(), hash from audit_chain where sequence = ${sequence}`,
  },
  {
    name: 'places of two exchanged',
    kinds: ['reordered'],
    sql: (sequence, other) =>
      `update audit_chain set sequence = case sequence when ${sequence} then ${other} else ${sequence} end where sequence in (${sequence}, ${other})`,
    pointsAt: Math.min,
  },
  {
    name: 'records of two exchanged',
    kinds: ['reordered'],
    sql: (sequence, other) =>
      `with a as (select * from audit_chain where sequence = ${sequence}), b as (select * from audit_chain where sequence = ${other}),
         gone as (delete from audit_chain where sequence in (${sequence}, ${other}) returning 1)
       insert into audit_chain select a.tenant_id, a.sequence, b.occurred, b.record_id, a.hash, a.v from a, b, (select count(*) from gone) g
         union all select a.tenant_id, b.sequence, a.occurred, a.record_id, b.hash, b.v from a, b`,
    pointsAt: Math.min,
  },
  {
    name: 'hash changed',
    kinds: ['altered'],
    sql: (sequence) => `update audit_chain set hash = sha256(hash) where sequence = ${sequence}`,
  },
  {
    name: 'a checkpoint deleted',
    kinds: ['missing'],
    sql: (sequence) => `delete from audit_checkpoints where number = ${1 + (sequence % 3)}`,
    pointsAt: () => undefined,
  },
  {
    name: 'a checkpoint rewritten',
    kinds: ['altered'],
    sql: (sequence) =>
      `update audit_checkpoints set payload = replace(payload, '"sequence":', '"sequence":1') where number = ${1 + (sequence % 3)}`,
    pointsAt: () => undefined,
  },
];

const keys = () => trustedKeys([signer.publicKey]);

/** Finding after a change that is rolled back: the verifier reads inside the transaction. */
const findingAfter = async (sql: string): Promise<Finding | undefined> => {
  const ask: RunStatement = async (text, values = []) => (await superuser.query(text, [...values])).rows;
  await superuser.query('begin');
  try {
    await superuser.query(sql);
    for await (const verdict of verifyAuditLog({ log: createAuditVerification(ask), keys: keys(), saved: new Map() })) {
      if (verdict.tenantId === tenantId) return verdict.finding;
    }
    return undefined;
  } finally {
    await superuser.query('rollback');
  }
};

/** Change of rows beside the chain by a superuser, with the expected finding. */
interface SideChange {
  readonly sql: string;
  readonly says: string;
}

const inserted = (occurred: string): string =>
  `insert into audit_log (tenant_id, id, occurred, user_name, action, target)
   select id, gen_random_uuid(), ${occurred}, 'eve', 'LOGIN', '' from tenants`;
/** Receipt of the query whose record has sequence 7. */
const RECEIPT = `query_id = (select l.query_id from audit_log l join audit_chain c on c.record_id = l.id where c.sequence = 7)`;
const receipt = (assignment: string): string => `update queries set ${assignment} where ${RECEIPT}`;

const SIDE_CHANGES: readonly SideChange[] = [
  { sql: inserted(`(select max(issued) from audit_checkpoints) - interval '14 minutes'`), says: 'never sealed' },
  { sql: inserted(`(select seen_at from audit_sealer) - interval '10 seconds'`), says: 'never sealed' },
  { sql: inserted(`now() + interval '10 seconds'`), says: 'later than the time at which it was sealed' },
  { sql: inserted(`now() + interval '40 days'`), says: 'later than the time at which it was sealed' },
  { sql: `update audit_counts set records = records + 1 where kind = 'all'`, says: 'The count of all records' },
  {
    sql: `update audit_counts set records = 0 where kind = 'user' and name = 'user1'`,
    says: 'The count of user "user1"',
  },
  { sql: `delete from audit_counts where kind = 'action'`, says: 'The count of action "RUN_QUERY"' },
  {
    sql: `insert into audit_counts select tenant_id, 'user', 'eve', hour, 1 from audit_counts where kind = 'all'`,
    says: 'The count of user "eve"',
  },
  { sql: receipt('rows = rows + 1'), says: 'outcome in: rows.' },
  { sql: receipt('bytes = 0'), says: 'outcome in: bytes.' },
  { sql: receipt(`sha256 = md5('x')`), says: 'outcome in: sha256.' },
  { sql: receipt('sha256 = null'), says: 'outcome in: sha256.' },
  { sql: receipt(`state = 'FAILED'`), says: 'outcome in: state.' },
  { sql: receipt('limited = true'), says: 'outcome in: limited.' },
  { sql: receipt(`error = '{"code": "INTERNAL"}'`), says: 'outcome in: error.' },
  { sql: receipt(`ended = ended + interval '1 second'`), says: 'outcome in: ended.' },
  { sql: receipt(`ended = null, state = 'RUNNING'`), says: 'outcome in: ended, state.' },
  { sql: receipt(`started = started - interval '1 second'`), says: 'outcome in: started.' },
  { sql: receipt(`sql = 'SELECT 0'`), says: 'outcome in: sql.' },
  { sql: receipt('statement_bytes = statement_bytes + 1'), says: 'outcome in: statement_bytes.' },
  { sql: receipt('statement_bytes = null'), says: 'outcome in: statement_bytes.' },
  { sql: receipt(`user_name = 'eve'`), says: 'outcome in: user_name.' },
  { sql: `delete from queries where ${RECEIPT}`, says: 'is missing.' },
  {
    sql: `insert into queries select tenant_id, gen_random_uuid(), account_kind, account_id, user_name, session_id, host_id, sql, state, rows,
      bytes, sha256, limited, started, ended, error, cancel_requested, gen_random_uuid() from queries where ${RECEIPT}`,
    says: 'has no record in the log.',
  },
  { sql: 'update audit_retention set kept_ms = 1', says: 'The retention settings differ' },
  { sql: `update tenants set settings = '{"auditRetentionMs": 1}'`, says: 'The retention settings differ' },
];

describe('the verifier', () => {
  it('accepts an untouched log, including the newest unsealed records', async () => {
    expect(await verify()).toEqual({ records: RECORDS, finding: undefined });
    await superuser.query(
      `insert into audit_log (tenant_id, id, occurred, user_name, action, target) values ($1, gen_random_uuid(), now(), 'ann', 'LOGIN', '')`,
      [tenantId],
    );
    expect(await verify()).toEqual({ records: RECORDS, finding: undefined });
  });

  it(`finds ${MUTATIONS} of ${MUTATIONS} random single changes by a superuser, and names the changed record`, async () => {
    const seed = caseSeed();
    const next = seededRandom(seed);
    const random = (below: number): number => Math.floor(next() * below);
    const wrong: unknown[] = [];
    for (let round = 0; round < MUTATIONS; round += 1) {
      const mutation = MUTATIONS_OF[round % MUTATIONS_OF.length] as Mutation;
      const sequence = 1 + random(RECORDS);
      const other = 1 + ((sequence + random(RECORDS - 1)) % RECORDS);
      const finding = await findingAfter(mutation.sql(sequence, other));
      const named = mutation.pointsAt === undefined ? sequence : mutation.pointsAt(sequence, other);
      const isRight =
        finding !== undefined &&
        mutation.kinds.includes(finding.kind) &&
        (named === undefined || finding.sequence === named);
      if (!isRight) wrong.push({ mutation: mutation.name, sequence, other, finding });
    }
    expect({ seed, wrong }).toEqual({ seed, wrong: [] });
    expect(await verify()).toEqual({ records: RECORDS, finding: undefined });
  }, 300_000);

  it.each(SIDE_CHANGES)('finds: $sql', async ({ sql, says }) => {
    const finding = await findingAfter(sql);
    expect(finding?.reason).toContain(says);
    if (says.startsWith('outcome in') || says.startsWith('is missing')) expect(finding?.sequence).toBe(7);
    expect((await verify()).finding).toBeUndefined();
  });

  it('accepts an audited change of retention, and finds an unaudited one that was reverted after a checkpoint', async () => {
    const ownerUrl = testDatabase.ownerUrl;
    await setTenantRetention({ ownerUrl, tenantName: 'acme', retentionMs: 30 * DAY, user: 'operator' });
    expect((await verify()).finding).toBeUndefined();
    await setRetentionFloor({ ownerUrl, keptMs: 500 * DAY, user: 'operator' });
    await createSeal()();
    expect((await verify()).finding).toBeUndefined();
    await setTenantRetention({ ownerUrl, tenantName: 'acme', retentionMs: undefined, user: 'operator' });
    expect(
      (
        await superuser.query(
          `select metadata from audit_log where action = 'UPDATE_AUDIT_RETENTION' order by occurred`,
        )
      ).rows,
    ).toEqual(
      [
        [34_560_000_000, null, 34_560_000_000, 30 * DAY],
        [34_560_000_000, 30 * DAY, 500 * DAY, 30 * DAY],
        [500 * DAY, 30 * DAY, 500 * DAY, null],
      ].map(([keptBefore, ownBefore, keptAfter, ownAfter]) => ({
        metadata: {
          before: { kept_ms: keptBefore, tenant_ms: ownBefore },
          after: { kept_ms: keptAfter, tenant_ms: ownAfter },
        },
      })),
    );
    await createSeal()();
    expect((await verify()).finding).toBeUndefined();
  });

  it('accepts a record of a transaction that was open when the sealer ran', async () => {
    const open = new pg.Client({ connectionString: testDatabase.superuserUrl });
    await open.connect();
    const seal = createSeal();
    try {
      await open.query('begin');
      await open.query(
        `insert into audit_log (tenant_id, id, occurred, user_name, action, target) values ($1, gen_random_uuid(), now() - interval '1 minute', 'slow', 'LOGIN', '')`,
        [tenantId],
      );
      await superuser.query(inserted('now()'));
      await seal();
      await open.query('commit');
    } finally {
      await open.end();
    }
    await seal();
    const { rows } = await superuser.query('select payload from audit_checkpoints order by number desc limit 1');
    expect(JSON.parse(rows[0].payload)).toMatchObject({ v: SEAL_VERSION, late: [expect.any(Number)] });
    expect((await verify()).finding).toBeUndefined();
  });

  // Last, because each one stays in the log.
  it.each([
    ['before the sealer looked last', `now() - interval '10 seconds'`, 'earlier than a time up to which'],
    ['to come', `now() + interval '10 seconds'`, 'later than the time at which it was sealed'],
  ])(
    'finds a record that was sealed with a time %s, regardless of the sealer time in the database',
    async (_when, occurred, says) => {
      const seal = createSeal();
      await superuser.query(inserted('now()'));
      await seal();
      await setLastLook(Date.now() - DAY);
      const { rows } = await superuser.query(`${inserted(occurred)} returning id`);
      await seal();
      expect((await verify()).finding).toMatchObject({ kind: 'inserted', recordId: rows[0].id });
      expect((await verify()).finding?.reason).toContain(says);
      await superuser.query(`delete from audit_log where id = '${rows[0].id}'`);
      await superuser.query(`delete from audit_chain where record_id = '${rows[0].id}'`);
      await superuser.query('delete from audit_checkpoints where number = (select max(number) from audit_checkpoints)');
      await superuser.query(`update audit_counts set records = records - 1 where hour = (select max(hour) from audit_counts)
      and name in ('', 'eve', 'LOGIN')`);
    },
  );
});
