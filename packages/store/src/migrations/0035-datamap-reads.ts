import type { SchemaStep } from './migration.ts';

/** Tables that the SQL of a datamap reads, as an import names them. Null: the SQL was saved before this step. */
export const datamapReadsStep: SchemaStep = {
  name: '0035-datamap-reads',
  sql: 'alter table datamaps add column reads text[];',
};
