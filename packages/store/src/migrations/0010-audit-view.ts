import type { SchemaStep } from './migration.ts';

/**
 * A row keeps the transaction that wrote it, so that a reader who remembers a snapshot sees the same rows later, whatever was
 * committed meanwhile. Rows of before have transaction 0, which every snapshot sees. Indexes of what is searched for leave the
 * outcomes out.
 */
export const auditViewStep: SchemaStep = {
  name: '0010-audit-view',
  sql: `
    alter table audit_log add column xact xid8 not null default '0';
    alter table audit_log alter column xact set default pg_current_xact_id();
    create index audit_log_transactions on audit_log (xact, occurred);
    create index audit_log_users on audit_log (tenant_id, user_name, occurred, id) where record_id is null;
    create index audit_log_actions on audit_log (tenant_id, action, occurred, id) where record_id is null;
    create index audit_log_targets on audit_log (tenant_id, target, occurred, id) where record_id is null;
    create index audit_log_requests on audit_log (tenant_id, request_id) where record_id is null and request_id is not null;
    create index audit_log_queries on audit_log (tenant_id, query_id) where record_id is null and query_id is not null;
  `,
};
