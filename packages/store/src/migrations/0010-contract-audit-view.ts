import type { SchemaStep } from './migration.ts';

/**
 * Brings an audit log of an earlier build to the present state of 0005: the transaction of each row, and the search indexes. Existing rows
 * get transaction 0, which every snapshot sees. Writers wait while the indexes are created, hence `contract` in the name. A log that
 * already has them is not changed.
 */
export const auditViewStep: SchemaStep = {
  name: '0010-contract-audit-view',
  sql: `
    do $body$
    begin
      if exists (select from pg_attribute where attrelid = 'audit_log'::regclass and attname = 'xact' and not attisdropped) then
        return;
      end if;
      alter table audit_log add column xact xid8 not null default '0';
      alter table audit_log alter column xact set default pg_current_xact_id();
      create index audit_log_transactions on audit_log (xact, occurred);
      create index audit_log_users on audit_log (tenant_id, user_name, occurred, id) where record_id is null;
      create index audit_log_actions on audit_log (tenant_id, action, occurred, id) where record_id is null;
      create index audit_log_targets on audit_log (tenant_id, target, occurred, id) where record_id is null;
      create index audit_log_requests on audit_log (tenant_id, request_id) where record_id is null and request_id is not null;
      create index audit_log_queries on audit_log (tenant_id, query_id) where record_id is null and query_id is not null;
    end $body$;
  `,
};
