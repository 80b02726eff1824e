/** A step of the schema. Steps only go forward: a mistake is mended by another step. */
export interface SchemaStep {
  /** Its order among the steps, and its row in knex_migrations: never changed once released. */
  readonly name: string;
  readonly sql: string;
}
