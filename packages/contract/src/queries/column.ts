import { z } from 'zod';

/** A column of a result: its name, made distinct within the result, and Trino's lower-case name of its type. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

export const columnBody = z
  .object({
    name: z.string().describe('Column name; duplicates are made distinct: a, a_2'),
    type: z.string().describe('Type name, as in bigint, varchar, decimal(38,2), timestamp(6)'),
  })
  .meta({ id: 'ColumnDefinition' });
