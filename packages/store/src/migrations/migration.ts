/**
 * A step of the schema. Steps only go forward: a mistake is mended by another step. Hosts of the version before serve while it
 * is taken, and after it, so a step only adds: tables, columns that are null or have a constant default, indexes of new
 * tables. What nothing uses any more is taken away by a step of a later version, whose name says `contract`.
 */
export interface SchemaStep {
  /** `<number>-<what>`, or `<number>-contract-<what>`. Its row in knex_migrations: never changed once released. */
  readonly name: string;
  readonly sql: string;
}

/** Whether hosts of versions that do not know the step cannot serve after it. */
export const isContracting = (name: string): boolean => /^\d+-contract-/.test(name);
