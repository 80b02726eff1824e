/**
 * Step of the schema. Steps only go forward: another step corrects a violation. Hosts of the previous version serve during and after a step,
 * so a step only adds: tables, columns that are null or have a constant default, indexes of new tables. What is no longer used is removed
 * by a step of a later version, whose name contains `contract`.
 */
export interface SchemaStep {
  /** `<number>-<what>`, or `<number>-contract-<what>`. It is the key of the row in knex_migrations, so it never changes once released. */
  readonly name: string;
  readonly sql: string;
}

/** Returns whether hosts of versions that do not know the step cannot serve after it. */
export const isContracting = (name: string): boolean => /^\d+-contract-/.test(name);

/** Number of the first step, which creates the whole schema. */
const BASELINE_NUMBER = 40;

/** Returns whether a step is one of those that the baseline replaced. A database that was created by them keeps their names. */
export const isBeforeBaseline = (name: string): boolean => Number.parseInt(name, 10) < BASELINE_NUMBER;
