/** The schema of a database as sorted lines, which are equal for equal schemas whatever statements created them. */
import { createRequire } from 'node:module';

const { Client } = createRequire(new URL('../../packages/store/package.json', import.meta.url))('pg');

const RIGHTS = (acl) => `(select string_agg(a::text, ' ' order by a::text) from unnest(${acl}) a)`;
const PARTS = {
  table: `select c.relname, c.relkind, c.relpersistence, c.relrowsecurity, c.relforcerowsecurity, c.reloptions,
      pg_get_expr(c.relpartbound, c.oid), ${RIGHTS('c.relacl')}
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S', 'c')`,
  column: `select c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attcollation::regcollation,
      pg_get_expr(d.adbin, d.adrelid), ${RIGHTS('a.attacl')}
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'c')`,
  constraint: `select conrelid::regclass, conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace`,
  index: `select indexname, indexdef from pg_indexes where schemaname = 'public'`,
  trigger: `select tgrelid::regclass, tgname, tgenabled, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`,
  policy: `select tablename, policyname, permissive, roles, cmd, qual, with_check from pg_policies where schemaname = 'public'`,
  function: `select proname, regexp_replace(pg_get_functiondef(oid), '\\s+', ' ', 'g'), ${RIGHTS('proacl')}
    from pg_proc where pronamespace = 'public'::regnamespace and proowner = current_user::regrole`,
};

/** Returns one line for each part of the schema `public`: tables, columns, constraints, indexes, triggers, policies, functions, and rights. */
export async function describeSchema(url) {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const lines = [];
    for (const [kind, text] of Object.entries(PARTS)) {
      const { rows } = await client.query({ text, rowMode: 'array' });
      lines.push(...rows.map((row) => `${kind} ${JSON.stringify(row)}`));
    }
    return lines.sort();
  } finally {
    await client.end();
  }
}

/** Returns the description of the schema that `migrate` creates in a new database of the same server. */
export async function describeNewSchema(ownerUrl, superuserUrl, migrate) {
  const superuser = new Client({ connectionString: superuserUrl });
  await superuser.connect();
  try {
    await superuser.query(`create database new_schema owner ${superuser.escapeIdentifier(new URL(ownerUrl).username)}`);
    const url = new URL(ownerUrl);
    url.pathname = '/new_schema';
    await migrate({ ownerUrl: url.href, apiRole: { name: 'sluice_api' }, streamRole: { name: 'sluice_stream' } });
    return await describeSchema(url.href);
  } finally {
    await superuser.end();
  }
}
