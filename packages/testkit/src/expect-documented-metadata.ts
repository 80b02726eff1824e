import { AUDIT_ACTIONS, AUDIT_METADATA, type AuditAction } from '@sluice/contract';
import pg from 'pg';

/** Records of hosts have an address, and outcomes name their record. Records that tests insert have neither. */
const RECORDED = `
  select distinct action, key from audit_log left join lateral jsonb_object_keys(metadata) key on true
  where address is not null or record_id is not null order by 1, 2`;

const isDocumented = (action: string, key: string | null): boolean =>
  action in AUDIT_ACTIONS && (key === null || AUDIT_METADATA[action as AuditAction]?.includes(key) === true);

/**
 * Rejects if the audit log of this database contains an action or metadata key that `AUDIT_METADATA`, and so docs/audit-actions.md,
 * lacks. Test files call it after they stop their hosts, so the page covers everything that HTTP tests do.
 */
export async function expectDocumentedMetadata(superuserUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ action: string; key: string | null }>(RECORDED);
    const found = rows.filter(({ action, key }) => !isDocumented(action, key));
    if (found.length === 0) return;
    const names = found.map(({ action, key }) => `${action}.${key}`).join(', ');
    throw new Error(`packages/contract/src/audit/audit-metadata.ts does not have ${names}.`);
  } finally {
    await client.end();
  }
}
