/** Full name of a table or view, as the engine spells it. */
export interface TableName {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
}

/** Returns the names without duplicates, sorted. */
export function distinctTables(tables: readonly TableName[]): readonly TableName[] {
  const byKey = new Map(
    tables.map(({ catalog, schema, name }) => [JSON.stringify([catalog, schema, name]), { catalog, schema, name }]),
  );
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, table]) => table);
}
