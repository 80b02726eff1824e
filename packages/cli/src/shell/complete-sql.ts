import {
  type CompletionContext,
  completionContext,
  functionsOf,
  keywordsOf,
  type NamePath,
} from '@sluice/contract/sql';
import { qualifiedName, quotedName } from '../names/qualified-name.ts';
import type { CatalogNames, TablePath } from './catalog-names.ts';

/** Words that complete in every statement. */
const WORDS: readonly string[] = [
  ...keywordsOf('duckdb'),
  ...functionsOf('duckdb').map((name) => (name.startsWith('current_') ? name : `${name}(`)),
];

/** Words that can replace what was typed, and what was typed. */
export type Completion = readonly [words: readonly string[], begun: string];

/** Tables of a statement whose columns are looked up. */
const MENTIONS_MAX = 8;
const TABLE_PARTS = 3;

/** Names that are loaded already. */
type KnownNames = Pick<CatalogNames, 'below' | 'tables'>;

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Returns whether a name begins with what is typed. Without quotes, case is ignored. */
const matches = (name: string, { prefix, isQuoted }: CompletionContext): boolean =>
  isQuoted ? name.startsWith(prefix) : isSame(name.slice(0, prefix.length), prefix);

const write = ({ isQuoted }: CompletionContext, name: string): string =>
  isQuoted ? quotedName(name) : qualifiedName([name]);

/** Next step of a name: a catalog, a schema, or a table. */
function tableWords(names: KnownNames, context: CompletionContext): string[] {
  const { qualifier, prefix } = context;
  if (qualifier.length >= TABLE_PARTS) return [];
  const end = qualifier.length < TABLE_PARTS - 1 ? '.' : '';
  return names
    .below(qualifier, prefix)
    .filter((name) => matches(name, context))
    .map((name) => `${write(context, name)}${end}`);
}

/** Tables whose own name begins so, in full: the default schema is the engine's, so a bare name may mean another table. */
const bareTableWords = (names: KnownNames, context: CompletionContext): string[] =>
  context.prefix === '' || context.qualifier.length > 0
    ? []
    : names
        .tables(context.prefix)
        .filter((table) => matches(table[2], context))
        .map(qualifiedName);

/** Returns the tables that a name means: the whole path, or its last part or parts. */
function tablesMeant(names: KnownNames, path: NamePath): readonly TablePath[] {
  if (path.length === 0 || path.length > TABLE_PARTS) return [];
  const found = names
    .tables(path.at(-1) ?? '')
    .filter((table) => path.every((text, index) => isSame(table[TABLE_PARTS - path.length + index] ?? '', text)));
  return found.length > 0 || path.length < TABLE_PARTS ? found : [path as unknown as TablePath];
}

/** Columns of the tables that the statement names, also behind `table.` or `alias.`. */
function columnWords(names: KnownNames, context: CompletionContext): string[] {
  const { qualifier, tables } = context;
  const [owner] = qualifier;
  const isMeant = (table: TablePath, alias: string): boolean =>
    owner === undefined ||
    (qualifier.length === 1 && (isSame(alias, owner) || isSame(table[2], owner))) ||
    (qualifier.length === TABLE_PARTS && qualifier.every((text, index) => isSame(table[index] ?? '', text)));
  return tables
    .flatMap(({ path, alias }) => tablesMeant(names, path).map((table) => ({ table, alias })))
    .slice(0, MENTIONS_MAX)
    .filter(({ table, alias }) => isMeant(table, alias))
    .flatMap(({ table }) => names.below(table, ''))
    .filter((name) => matches(name, context))
    .map((name) => write(context, name));
}

/** Returns whether the name may be a column of a table that the statement names. */
const mayBeColumn = ({ qualifier: [owner], tables }: CompletionContext): boolean =>
  tables.some(({ alias, path }) => owner === undefined || isSame(alias, owner) || isSame(path.at(-1) ?? '', owner));

/** Keywords and functions in the case of what is typed. */
function plainWords({ qualifier, prefix, isQuoted }: CompletionContext): string[] {
  if (qualifier.length > 0 || prefix === '' || isQuoted) return [];
  const found = WORDS.filter((word) => isSame(word.slice(0, prefix.length), prefix));
  return prefix === prefix.toLowerCase() ? found.map((word) => word.toLowerCase()) : found;
}

/**
 * Completes a statement at its end. Only names that are loaded already are found.
 * @param before - earlier lines of the statement
 * @param line - the line up to the cursor
 */
export function completeSql(names: KnownNames, before: string, line: string): Completion {
  const text = `${before}${line}`;
  const context = completionContext(text, text.length, 'duckdb');
  if (context === undefined || context.pathFrom < before.length) return [[], ''];
  const { pathFrom, from, position } = context;
  const typed = text.slice(pathFrom);
  const tables = (): string[] => [...tableWords(names, context), ...bareTableWords(names, context)];
  const columns = position === 'table' ? [] : columnWords(names, context);
  const plain = position === 'table' ? [] : plainWords(context);
  // A column of the statement is what is meant; a function that begins like it would stop Tab in bash, which has no order of matches.
  const others = [...columns, ...(columns.length > 0 ? plain.filter((word) => !word.endsWith('(')) : plain)];
  // In an expression, the catalog is only asked about what can be nothing else.
  const isUnknown = typed !== '' && others.length === 0 && !mayBeColumn(context);
  const found = position === 'table' || isUnknown ? tables() : others;
  const words = found.map((word) => `${text.slice(pathFrom, from)}${word}`);
  return [[...new Set(words)].sort(), typed];
}
