import { readOnlyProblem } from './guard-problems.ts';
import { isMark, isWord, readName } from './qualified-name.ts';
import type { TrinoToken } from './sql-lexer.ts';

/** Form of the name after SHOW. */
interface Shown {
  /** Words before the name. */
  readonly before: readonly string[];
  /** Parts of a name without its catalog; a name of more parts begins with a catalog. */
  readonly parts: number;
  readonly isOptional?: boolean;
}

const SHOWN: ReadonlyMap<string, Shown> = new Map<string, Shown>([
  ['SCHEMAS', { before: ['FROM', 'IN'], parts: 0, isOptional: true }],
  ['TABLES', { before: ['FROM', 'IN'], parts: 1, isOptional: true }],
  ['FUNCTIONS', { before: ['FROM', 'IN'], parts: 1, isOptional: true }],
  ['COLUMNS', { before: ['FROM', 'IN'], parts: 2 }],
  ['STATS', { before: ['FOR'], parts: 2 }],
]);
/** Objects that `SHOW CREATE` may show. */
const CREATED: ReadonlyMap<string, Shown> = new Map<string, Shown>([
  ['TABLE', { before: ['TABLE'], parts: 2 }],
  ['VIEW', { before: ['VIEW'], parts: 2 }],
  ['FUNCTION', { before: ['FUNCTION'], parts: 2 }],
  ['SCHEMA', { before: ['SCHEMA'], parts: 1 }],
]);
const LIKE_WORDS = ['LIKE', 'ESCAPE', 'U', 'UESCAPE'];

/** Checks that the guard runs on the names that it finds. */
interface ShowChecks {
  /** Checks a name that begins with a catalog. */
  checkCatalog(parts: readonly string[]): void;
  /** Returns the error for a token that Trino's grammar does not allow there. */
  unexpected(token: TrinoToken): Error;
}

/**
 * Checks SHOW and DESCRIBE of tables, schemas and functions against Trino's grammar, to the last token: anything else is
 * rejected. Descriptions of the server and its sessions are rejected too, because their names are not limited to one tenant.
 */
export function checkShow(tokens: readonly TrinoToken[], checks: ShowChecks): void {
  if (!isWord(tokens[0], 'SHOW')) {
    checkDescribe(tokens, checks);
    return;
  }
  const [, what, created] = tokens;
  if (isWord(what, 'CREATE')) {
    const isMaterialized = isWord(created, 'MATERIALIZED');
    const kind = isMaterialized ? tokens[3] : created;
    const shown = kind?.kind === 'word' ? CREATED.get(kind.text) : undefined;
    if (shown === undefined) throw readOnlyProblem(`SHOW CREATE ${kind?.text ?? ''} is not allowed`);
    checkNamed(tokens, isMaterialized ? 3 : 2, { shown, checks });
    return;
  }
  const shown = what?.kind === 'word' ? SHOWN.get(what.text) : undefined;
  if (shown === undefined) throw readOnlyProblem(`SHOW ${what?.text ?? ''} is not allowed`);
  // The names of a query are checked as in any query.
  if (isWord(what, 'STATS') && isWord(tokens[2], 'FOR') && isMark(tokens[3], '(')) return;
  checkNamed(tokens, 2, { shown, checks });
}

function checkDescribe(tokens: readonly TrinoToken[], checks: ShowChecks): void {
  const [verb, what, next] = tokens;
  if (isWord(what, 'INPUT', 'OUTPUT') && next !== undefined && !isMark(next, '.')) {
    throw readOnlyProblem(`${verb?.text} ${what?.text} is not allowed`);
  }
  checkNamed(tokens, 0, { shown: { before: ['DESCRIBE', 'DESC'], parts: 2 }, checks });
}

interface Named {
  readonly shown: Shown;
  readonly checks: ShowChecks;
}

/** Checks the name from the word before it on, and that only a LIKE follows. */
function checkNamed(tokens: readonly TrinoToken[], start: number, { shown, checks }: Named): void {
  let next = start;
  if (isWord(tokens[start], ...shown.before)) {
    const name = readName(tokens, start + 1);
    if (name === undefined) throw checks.unexpected(tokens[start + 1] ?? (tokens[start] as TrinoToken));
    if (name.parts.length > shown.parts) checks.checkCatalog(name.parts);
    next = name.next;
  } else if (shown.isOptional !== true) {
    throw checks.unexpected(tokens[start] ?? (tokens.at(-1) as TrinoToken));
  }
  const rest = tokens
    .slice(next)
    .find((token) => token.kind !== 'string' && !isWord(token, ...LIKE_WORDS) && !isMark(token, '&'));
  if (rest !== undefined) throw checks.unexpected(rest);
}
