import type { SchemaStep } from './migration.ts';

/**
 * Lets the audit record alone hold the text of a statement and its parameters. `statement_bytes` is their size; such a row has an empty `sql`,
 * and its place in the history no parameters. Null: the row has a copy of its own. Hosts of the previous version show the copies only, so
 * rows have them as long as such a host is in `hosts`.
 */
export const singleStatementsStep: SchemaStep = {
  name: '0039-single-statements',
  sql: `
    alter table queries add column statement_bytes integer;
    alter table hosts add column finds_statements boolean not null default false;
  `,
};
