import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase, type TestDatabase } from '@sluice/testkit';
import { createDatabase, type Database } from '../database/database.ts';
import { migrate } from '../schema/migrate.ts';
import { auditViewStep } from './0010-contract-audit-view.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createEmptyDatabase();
}, 120_000);
afterAll(async () => await test.dispose());

const settings = () => ({ ownerUrl: test.ownerUrl, apiRole: test.apiRole, streamRole: test.streamRole });

const query = async (owner: Database, sql: string): Promise<unknown[]> =>
  await owner.withoutTenant((transaction) => transaction.query(sql));

const shapeOf = async (owner: Database): Promise<unknown[][]> => [
  await query(
    owner,
    `select c.relname, a.attname, a.atttypid::regtype::text as type, a.attnotnull, pg_get_expr(d.adbin, d.adrelid) as fallback
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
      where c.relname ~ '^audit_log' and c.relkind in ('r', 'p') order by 1, 2`,
  ),
  // PostgreSQL names the indexes of partitions, possibly with other numbers.
  await query(
    owner,
    `select tablename, regexp_replace(indexdef, 'INDEX \\S+ ON', 'INDEX ON') as made
       from pg_indexes where tablename ~ '^audit_log' order by 1, 2`,
  ),
];

describe('an audit log of an earlier build', () => {
  it('becomes equal to a new one, and keeps its rows', async () => {
    await migrate(settings());
    await using owner = createDatabase({ url: test.ownerUrl });
    const made = await shapeOf(owner);

    await query(
      owner,
      `drop index audit_log_users, audit_log_actions, audit_log_targets, audit_log_requests, audit_log_queries;
       alter table audit_log drop column xact;
       insert into audit_log (tenant_id, id, occurred, user_name, action, target)
         values (gen_random_uuid(), gen_random_uuid(), now(), 'ana@example.com', 'login', 'session');
       delete from knex_migrations where name = '${auditViewStep.name}'`,
    );
    expect(await shapeOf(owner)).not.toEqual(made);

    await migrate(settings());
    expect(await shapeOf(owner)).toEqual(made);
    expect(await query(owner, `select user_name, xact::text from audit_log`)).toEqual([
      { user_name: 'ana@example.com', xact: '0' },
    ]);
  });
});
