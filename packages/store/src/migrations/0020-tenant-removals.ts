import type { SchemaStep } from './migration.ts';

/** The operator may ask for the removal of a tenant at the API host, whose role may not take anything out of an audit log: the owner does. */
export const tenantRemovalsStep: SchemaStep = {
  name: '0020-tenant-removals',
  sql: 'alter table tenants add column removal_requested timestamptz;',
};
