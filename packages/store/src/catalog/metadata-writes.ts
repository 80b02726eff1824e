import type { Transaction } from '../database/transaction.ts';
import { fieldChunks } from './field-chunks.ts';
import type { FactWrite } from './metadata-facts.ts';

/**
 * Uses the clock, not the start of the transaction, so that a writer that waited for the lock has the later time. The ids are passed a
 * second time, so that rows are found by the key, whatever table size the planner assumes.
 */
const WRITE_FACTS = `
  update facts f set description = w.description, tags = w.tags, version = f.version + 1, updated = clock_timestamp(), updated_by = $3
  from jsonb_to_recordset($2::jsonb) as w (fact_id uuid, description text, tags text[])
  where f.tenant_id = $1 and f.fact_id = any ($4::uuid[]) and f.fact_id = w.fact_id`;

const WRITE_NAMES = `
  update datamaps m set display_name = w.display_name
  from jsonb_to_recordset($2::jsonb) as w (fact_id uuid, display_name text)
  where m.tenant_id = $1 and m.fact_id = any ($3::uuid[]) and m.fact_id = w.fact_id`;

const WRITE_FIELDS = `
  insert into fact_fields (tenant_id, fact_id, name, description, tags)
  select $1, fact_id, name, description, tags
  from jsonb_to_recordset($2::jsonb) as w (fact_id uuid, name text, description text, tags text[])
  on conflict (tenant_id, fact_id, name) do update set description = excluded.description, tags = excluded.tags`;

/** A field without metadata needs no row. The fields are found one by one; they cannot change, because their fact is locked. */
const CLEAR_FIELDS = `
  delete from fact_fields where ctid = any (array(
    select f.place from unnest($2::uuid[], $3::text[]) as w (fact_id, name)
    cross join lateral (select x.ctid as place from fact_fields x
      where x.tenant_id = $1 and x.fact_id = w.fact_id and x.name = w.name
      limit 1) f))`;

const CLEAR_DOMAINS = 'delete from fact_domains where tenant_id = $1 and fact_id = any ($2::uuid[])';

const WRITE_DOMAINS = `
  insert into fact_domains (tenant_id, fact_id, domain_id, position)
  select $1, fact_id, domain_id, position
  from unnest($2::uuid[], $3::uuid[], $4::integer[]) as w (fact_id, domain_id, position)`;

const writeFields = async (transaction: Transaction, tenantId: string, writes: readonly FactWrite[]): Promise<void> => {
  const rows = writes.flatMap(({ factId, fields }) =>
    [...fields].map(([name, { description, tags }]) => ({ fact_id: factId, name, description, tags })),
  );
  const kept = rows.filter(({ description, tags }) => description !== null || tags.length > 0);
  const cleared = rows.filter(({ description, tags }) => description === null && tags.length === 0);
  for (const chunk of fieldChunks(kept)) await transaction.query(WRITE_FIELDS, [tenantId, JSON.stringify(chunk)]);
  for (const chunk of fieldChunks(cleared)) {
    const values = [tenantId, chunk.map(({ fact_id }) => fact_id), chunk.map(({ name }) => name)];
    await transaction.query(CLEAR_FIELDS, values);
  }
};

const writeDomains = async (
  transaction: Transaction,
  tenantId: string,
  writes: readonly FactWrite[],
): Promise<void> => {
  const changed = writes.filter(({ domains }) => domains !== undefined);
  if (changed.length === 0) return;
  await transaction.query(CLEAR_DOMAINS, [tenantId, changed.map(({ factId }) => factId)]);
  const rows = changed.flatMap(({ factId, domains = [] }) =>
    domains.map((domainId, position) => ({ factId, domainId, position })),
  );
  if (rows.length === 0) return;
  await transaction.query(WRITE_DOMAINS, [
    tenantId,
    rows.map(({ factId }) => factId),
    rows.map(({ domainId }) => domainId),
    rows.map(({ position }) => position),
  ]);
};

/** Writes facts that the transaction has locked, with one statement per table. Takes at least one fact, and each fact at most once. */
export async function writeFacts(
  transaction: Transaction,
  { tenantId, user }: { readonly tenantId: string; readonly user: string },
  writes: readonly FactWrite[],
): Promise<void> {
  const facts = writes.map(({ factId, description, tags }) => ({ fact_id: factId, description, tags }));
  const ids = writes.map(({ factId }) => factId);
  await transaction.query(WRITE_FACTS, [tenantId, JSON.stringify(facts), user, ids]);
  const named = writes.flatMap(({ factId, displayName }) =>
    displayName === undefined ? [] : [{ fact_id: factId, display_name: displayName }],
  );
  if (named.length > 0) await transaction.query(WRITE_NAMES, [tenantId, JSON.stringify(named), ids]);
  await writeFields(transaction, tenantId, writes);
  await writeDomains(transaction, tenantId, writes);
}
