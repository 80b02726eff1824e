import type { SchemaStep } from './migration.ts';

/**
 * Format of each entry of the chain; hosts of the previous version seal without a version, which means 0. Also the time of the sealer's
 * last snapshot, by the clock of the database: a record with an earlier time was not written at that time.
 */
export const auditVersionsStep: SchemaStep = {
  name: '0025-audit-versions',
  sql: `
    alter table audit_chain add column v smallint not null default 0;
    alter table audit_sealer add column seen_at timestamptz, add column pending_at timestamptz;
  `,
};
