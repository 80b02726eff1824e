import type { SchemaStep } from './migration.ts';

/**
 * The format of each place of the chain; hosts of the version before seal without one, which is 0. When the sealer looked last, by the
 * clock of the database: a record that claims an earlier time was not written then.
 */
export const auditVersionsStep: SchemaStep = {
  name: '0025-audit-versions',
  sql: `
    alter table audit_chain add column v smallint not null default 0;
    alter table audit_sealer add column seen_at timestamptz, add column pending_at timestamptz;
  `,
};
