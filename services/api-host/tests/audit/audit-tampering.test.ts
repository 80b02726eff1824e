import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AuditSigner, createAuditSigner, type Finding, trustedKeys } from '@sluice/audit';
import {
  type AskOpen,
  createAuditSealStore,
  createAuditVerification,
  createDatabase,
  createTenantStore,
  type Database,
  openAuditVerification,
} from '@sluice/store';
import { createTestDatabase, type TestDatabase } from '@sluice/testkit';
import pg from 'pg';
import { createSealAuditLog } from '../../src/use-cases/audit/seal-audit-log.ts';
import { verifyAuditLog } from '../../src/use-cases/audit/verify-audit-log.ts';

const RECORDS = 30;
const MUTATIONS = 1000;

let testDatabase: TestDatabase;
let database: Database;
let superuser: pg.Client;
let signer: AuditSigner;
let tenantId: string;
let seal: () => Promise<number | undefined>;

const DAY = 86_400_000;
let time = 0;

/** One record an hour from the given time on. */
const write = (count: number, from: number) =>
  superuser.query(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata, request_id, query_id, address, user_agent)
     select $1, gen_random_uuid(), $3::timestamptz + i * interval '1 hour', 'user' || i % 3, 'RUN_QUERY', 'target' || i,
       jsonb_build_object('rows', 9007199254740993, 'sql', 'SELECT ' || i, 'list', array[1.50, 2]), 'req-' || i, gen_random_uuid(),
       '10.0.0.' || i, 'agent' from generate_series(1, $2::int) i`,
    [tenantId, count, new Date(from)],
  );

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = createDatabase({ url: testDatabase.apiUrl, poolMax: 2 });
  superuser = new pg.Client({ connectionString: testDatabase.superuserUrl });
  await superuser.connect();
  signer = createAuditSigner(Buffer.alloc(32, 7));
  tenantId = (await createTenantStore(database).create({ name: 'acme' })).id;
  const onCut = () => undefined;
  seal = createSealAuditLog({ auditSeals: createAuditSealStore(database), signer, now: () => time, onCut });
  for (const daysAgo of [20, 10, 5]) {
    time = Date.now() - (daysAgo - 1) * DAY;
    await write(RECORDS / 3, time - DAY);
    await seal();
  }
}, 120_000);
afterAll(async () => {
  await superuser.end();
  await database[Symbol.asyncDispose]();
  await testDatabase.dispose();
});

const verify = async (): Promise<{ records: number; finding: Finding | undefined }> => {
  await using log = await openAuditVerification(testDatabase.superuserUrl);
  for await (const { records, finding } of verifyAuditLog({ log, keys: keys(), kept: new Map() }))
    return { records, finding };
  throw new Error('no tenant');
};

interface Mutation {
  readonly name: string;
  readonly kinds: readonly Finding['kind'][];
  /** Changes what stands at a sequence, and perhaps at another. */
  readonly sql: (sequence: number, other: number) => string;
  /** Where the finding must point, when it is not the sequence itself. */
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
  altered(`metadata = jsonb_set(metadata, '{rows}', '9007199254740992')`),
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
       insert into audit_chain select a.tenant_id, a.sequence, b.occurred, b.record_id, a.hash from a, b, (select count(*) from gone) g
         union all select a.tenant_id, b.sequence, a.occurred, a.record_id, b.hash from a, b`,
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

/** The same on every run (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
};

const keys = () => trustedKeys([signer.publicKey]);

/** Of a change that is undone again: the verifier looks from within its transaction. */
const findingAfter = async (sql: string): Promise<Finding | undefined> => {
  const ask: AskOpen = async (text, values = []) => (await superuser.query(text, [...values])).rows;
  await superuser.query('begin');
  try {
    await superuser.query(sql);
    for await (const verdict of verifyAuditLog({ log: createAuditVerification(ask), keys: keys(), kept: new Map() })) {
      if (verdict.tenantId === tenantId) return verdict.finding;
    }
    return undefined;
  } finally {
    await superuser.query('rollback');
  }
};

describe('the verifier', () => {
  it('proves an untouched log, the newest records that are not sealed yet beside it', async () => {
    expect(await verify()).toEqual({ records: RECORDS, finding: undefined });
    await superuser.query(
      `insert into audit_log (tenant_id, id, occurred, user_name, action, target) values ($1, gen_random_uuid(), now(), 'ann', 'LOGIN', '')`,
      [tenantId],
    );
    expect(await verify()).toEqual({ records: RECORDS, finding: undefined });
  });

  it(`finds ${MUTATIONS} of ${MUTATIONS} random single changes by a superuser, and names what was changed`, async () => {
    const random = randomOf(8);
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
    expect(wrong).toEqual([]);
    expect(await verify()).toEqual({ records: RECORDS, finding: undefined });
  }, 300_000);
});
