import { hasRows } from './answers.ts';
import type { StatementKind } from './statement-kind.ts';

/** Statements about roles, and the names of their columns. */
const STATEMENTS = [
  { words: ['SHOW', 'ROLES'], column: 'Role' },
  { words: ['SHOW', 'CURRENT', 'ROLES'], column: 'Role' },
  { words: ['SHOW', 'ROLE', 'GRANTS'], column: 'Role Grants' },
] as const;

/** SHOW ROLES, SHOW CURRENT ROLES and SHOW ROLE GRANTS: there are no roles of SQL, so they have no rows, as on a Trino without roles. */
export const readShowRoles: StatementKind = (reader) => {
  const found = STATEMENTS.find(({ words }) => reader.take(...words));
  if (found === undefined) return undefined;
  if (reader.take('FROM') || reader.take('IN')) reader.identifier();
  reader.end();
  return hasRows({ columns: [{ name: found.column, type: 'varchar' }], rows: [] });
};
