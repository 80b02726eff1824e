import type { SchemaStep } from './migration.ts';

/** User who answers questions about a table or view, and about a domain. The owner of a datamap is in `datamaps`. */
export const metadataOwnersStep: SchemaStep = {
  name: '0046-metadata-owners',
  sql: `
  alter table facts add column owner_id uuid, add column owner_name text;
  alter table domains add column owner_id uuid, add column owner_name text;
`,
};
