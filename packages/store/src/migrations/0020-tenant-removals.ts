import type { SchemaStep } from './migration.ts';

/**
 * The operator can request the removal of a tenant at the API host. The host's role may not remove anything from an audit log, so the owner
 * does.
 */
export const tenantRemovalsStep: SchemaStep = {
  name: '0020-tenant-removals',
  sql: 'alter table tenants add column removal_requested timestamptz;',
};
