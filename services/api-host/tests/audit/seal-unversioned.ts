import { createHash } from 'node:crypto';
import { type AuditSigner, canonicalJson } from '@sluice/audit';
import type pg from 'pg';

interface LoggedRow {
  readonly id: string;
  readonly hash_text: string;
  readonly metadata: string;
}

const ROWS = `
  select id, metadata::text as metadata, jsonb_build_object('tenant_id', tenant_id, 'id', id, 'record_id', record_id, 'user', user_name,
    'action', action, 'target', target, 'request_id', request_id, 'query_id', query_id, 'session_id', session_id,
    'address', address, 'user_agent', user_agent,
    'occurred_us', replace(extract(epoch from occurred)::text, '.', '')::bigint)::text as hash_text
  from audit_log where tenant_id = $1 order by occurred, id`;

const COUNTS = `
  insert into audit_counts
  select l.tenant_id, k.kind, k.name, date_trunc('hour', l.occurred, 'UTC'), count(*) from audit_log l
  cross join lateral (values ('all', ''), ('user', l.user_name), ('action', l.action)) k (kind, name)
  where l.tenant_id = $1 and l.record_id is null group by 1, 2, 3, 4`;

/** Seals every row of a tenant in the first format: without a version in records and checkpoints, and without sealer times. */
export async function sealUnversioned(
  superuser: pg.Client,
  { tenantId, signer, now }: { tenantId: string; signer: AuditSigner; now: number },
): Promise<void> {
  let hash = createHash('sha256').update(`sluice audit chain\n${tenantId}`).digest();
  const { rows } = await superuser.query<LoggedRow>(ROWS, [tenantId]);
  for (const [index, { id, hash_text, metadata }] of rows.entries()) {
    const text = `${hash_text.slice(0, -1)}, "metadata": ${metadata}, "sequence": ${index + 1}}`;
    hash = createHash('sha256').update(hash).update(canonicalJson(text)).digest();
    await superuser.query(
      `insert into audit_chain (tenant_id, sequence, occurred, record_id, hash)
       select tenant_id, $1, occurred, id, $2 from audit_log where id = $3`,
      [index + 1, hash, id],
    );
  }
  const payload = canonicalJson(
    JSON.stringify({
      kind: 'checkpoint',
      tenant_id: tenantId,
      number: 1,
      sequence: rows.length,
      hash: hash.toString('hex'),
      issued_ts: now,
      previous: null,
    }),
  );
  await superuser.query(
    'insert into audit_checkpoints (tenant_id, number, sequence, payload, key_id, signature) values ($1, 1, $2, $3, $4, $5)',
    [tenantId, rows.length, payload, signer.keyId, signer.sign(payload)],
  );
  await superuser.query(COUNTS, [tenantId]);
  await superuser.query('update audit_sealer set seen = pg_current_snapshot(), seen_at = null');
}
