import { readName } from './qualified-name.ts';
import { refused } from './refused.ts';
import type { TrinoToken } from './sql-lexer.ts';

/** What may be shown, and how many parts of a name stand behind the catalog: `SHOW SCHEMAS FROM catalog`. */
const SHOWN: Readonly<Record<string, number>> = {
  SCHEMAS: 0,
  TABLES: 1,
  FUNCTIONS: 1,
  COLUMNS: 2,
  STATS: 2,
  CREATE: 2,
};
const BEFORE_NAME: ReadonlySet<string> = new Set(['FROM', 'IN', 'FOR', 'TABLE', 'VIEW', 'SCHEMA']);

/**
 * SHOW and DESCRIBE of tables, schemas and functions. What tells of the server and its sessions is refused: those names are not
 * one tenant's. `checkTableName` is given the name as if it were a whole one, catalog first.
 */
export function checkShow(tokens: readonly TrinoToken[], checkTableName: (parts: readonly string[]) => void): void {
  const [verb, what] = tokens;
  if (verb?.text !== 'SHOW') {
    if (what?.kind === 'word' && ['INPUT', 'OUTPUT'].includes(what.text) && tokens.length > 2) {
      throw refused(`${verb?.text} ${what.text} is not allowed`);
    }
    const table = readName(tokens, 1);
    if (table !== undefined) checkTableName(table.parts);
    return;
  }
  const depth = what?.kind === 'word' ? SHOWN[what.text] : undefined;
  if (what === undefined || depth === undefined) throw refused(`SHOW ${what?.text ?? ''} is not allowed`);
  for (const [index, token] of tokens.entries()) {
    if (index < 2 || token.kind !== 'word' || !BEFORE_NAME.has(token.text)) continue;
    const name = readName(tokens, index + 1);
    const wanted = token.text === 'SCHEMA' ? 1 : depth;
    // Filled up to three parts, a name that begins with a catalog is judged like a table's.
    if (name?.parts.length === wanted + 1) checkTableName([...name.parts, '', '']);
  }
}
