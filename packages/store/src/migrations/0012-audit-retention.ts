import type { SchemaStep } from './migration.ts';

/** Checkpoints that tell what retention dropped are few among many, and whoever reads the chain behind the gap needs them. */
export const auditRetentionStep: SchemaStep = {
  name: '0012-audit-retention',
  sql: `
    create index audit_checkpoints_dropped on audit_checkpoints (tenant_id, number) where payload like '%"dropped":%';
  `,
};
