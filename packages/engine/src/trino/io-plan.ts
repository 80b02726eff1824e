import type { TableName } from '../table-name.ts';

/** Part of the result of `EXPLAIN (TYPE IO, FORMAT JSON)` that names tables. */
interface IoPlan {
  readonly inputTableColumnInfos?: readonly {
    readonly table?: {
      readonly catalog?: string;
      readonly schemaTable?: { readonly schema?: string; readonly table?: string };
    };
  }[];
}

/** Returns the tables of an I/O plan. Trino names the tables that it reads: those of a view, not the view. */
export function tablesOfIoPlan(plan: string): readonly TableName[] {
  const { inputTableColumnInfos = [] } = JSON.parse(plan) as IoPlan;
  return inputTableColumnInfos.flatMap(({ table }) => {
    const { schema, table: name } = table?.schemaTable ?? {};
    const catalog = table?.catalog;
    return catalog === undefined || schema === undefined || name === undefined ? [] : [{ catalog, schema, name }];
  });
}
