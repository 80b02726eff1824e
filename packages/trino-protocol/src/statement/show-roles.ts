import { hasRows } from './answers.ts';
import type { StatementKind } from './statement-kind.ts';
import type { StatementReader } from './statement-reader.ts';

/** Statements about roles, and the names of their columns. */
const STATEMENTS = [
  { words: ['SHOW', 'ROLES'], column: 'Role' },
  { words: ['SHOW', 'CURRENT', 'ROLES'], column: 'Role' },
  { words: ['SHOW', 'ROLE', 'GRANTS'], column: 'Role Grants' },
] as const;

const GRANTS = [
  ...['Grantor', 'Grantor Type', 'Grantee', 'Grantee Type', 'Catalog', 'Schema', 'Table'],
  ...['Privilege', 'Grantable', 'With Hierarchy'],
].map((name) => ({ name, type: 'varchar' }));

/**
 * SHOW ROLES, SHOW CURRENT ROLES, SHOW ROLE GRANTS and SHOW GRANTS: SQL has no roles and grants nothing here, so they have no rows, as on a
 * Trino without roles.
 */
export const readShowRoles: StatementKind = (reader) => {
  if (reader.take('SHOW', 'GRANTS')) return readGrants(reader);
  const found = STATEMENTS.find(({ words }) => reader.take(...words));
  if (found === undefined) return undefined;
  if (reader.take('FROM') || reader.take('IN')) reader.identifier();
  reader.end();
  return hasRows({ columns: [{ name: found.column, type: 'varchar' }], rows: [] });
};

/** SHOW GRANTS ON TABLE name, or without a table. */
function readGrants(reader: StatementReader): ReturnType<StatementKind> {
  if (reader.take('ON')) {
    reader.take('TABLE');
    reader.qualifiedName();
  }
  reader.end();
  return hasRows({ columns: GRANTS, rows: [] });
}
