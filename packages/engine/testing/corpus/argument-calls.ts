import { callOf, type Overload } from './text-calls.ts';

/** Values that functions rarely get: NULL, empty, nested, extreme, and VARIANT. */
const VALUES: Readonly<Record<string, string>> = {
  nothing: 'NULL',
  text: "''",
  list: '[]',
  nulls: '[NULL]',
  nested: "[{'a': [1, NULL]}]",
  struct: "{'a': NULL}",
  map: 'MAP {}',
  blob: "''::BLOB",
  no_list: 'NULL::INTEGER[]',
  smallest: '(-9223372036854775808)',
  number: '2',
  real: "'nan'::DOUBLE",
  instant: "TIMESTAMP 'infinity'",
  object: `'{"a":[1]}'::JSON`,
  variant: '[1, 2]::VARIANT',
  no_variant: 'NULL::VARIANT',
};

/** Creates the view `odd`, with a column of each value that is NULL in some rows. */
export const ODD_VALUES = `CREATE VIEW odd AS SELECT ${Object.entries(VALUES)
  .map(([name, value]) => `CASE WHEN i % 3 = 1 THEN NULL ELSE ${value} END AS "${name}"`)
  .join(', ')} FROM range(5) AS r(i)`;

/** An argument that most functions accept, beside an odd one. */
const PLAIN: Readonly<Record<string, string>> = { VARCHAR: "'abc'", DOUBLE: '1.5', DECIMAL: '1.5', BOOLEAN: 'true' };
const plainOf = (type: string): string => (type.endsWith(']') ? '[1, 2]' : (PLAIN[type] ?? '2'));

/** Returns statements that call an overload with each value: in every place, and in one place beside plain arguments; also from a column. */
export function oddStatements({ name, parameters, varargs }: Overload): readonly string[] {
  const types = varargs === null ? parameters : [...parameters, varargs];
  const plain = types.map((type) => plainOf(type ?? ''));
  const calls = Object.entries(VALUES).flatMap(([column, value]) => [
    `SELECT ${callOf(
      name,
      plain.map(() => value),
    )}`,
    `SELECT ${callOf(
      name,
      plain.map(() => `"${column}"`),
    )} FROM odd`,
    ...plain.map(
      (_, odd) =>
        `SELECT ${callOf(
          name,
          plain.map((other, at) => (at === odd ? `"${column}"` : other)),
        )} FROM odd`,
    ),
  ]);
  return plain.length === 0 ? [] : calls;
}
