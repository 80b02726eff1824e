import type { SchemaStep } from './migration.ts';

/** Declared parameters of a datamap's SQL, as responses have them. */
export const datamapParametersStep: SchemaStep = {
  name: '0036-datamap-parameters',
  sql: `alter table datamaps add column parameters jsonb not null default '[]';`,
};
