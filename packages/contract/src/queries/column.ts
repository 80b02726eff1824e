import { z } from 'zod';

/** Column of a result: a name that is unique within the result, and Trino's lower-case name of the type. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

export const columnBody = z
  .object({
    name: z.string().describe('Column name. Duplicates get a suffix: a, a_2'),
    type: z.string().describe('Type name, such as bigint, varchar, decimal(38,2) or timestamp(6)'),
  })
  .meta({ id: 'ColumnDefinition' });
