import {
  type CompletionContext,
  completionContext,
  functionsOf,
  keywordsOf,
  type NamedTable,
  type SqlDialect,
  sqlName,
} from '@sluice/contract/sql';
import type { CatalogName, CompletionCatalog } from './completion-catalog.ts';

/** A name to choose. */
export interface CompletionOption {
  readonly label: string;
  /** Text that replaces what is typed. */
  readonly insert: string;
  readonly kind: CatalogName['kind'] | 'keyword' | 'function' | 'alias';
  readonly detail: string | null;
  readonly description: string | null;
}

export interface CompletionList {
  readonly from: number;
  readonly to: number;
  /** Best first. */
  readonly options: readonly CompletionOption[];
}

const OPTIONS_MAX = 100;
/** Tables whose columns are offered. A statement rarely has more, and each of them is a request. */
const TABLES_MAX = 8;

/**
 * Completes the name at a position from the catalog, the statement and the dialect.
 * @param isExplicit - the user asked for the list, so it also opens where nothing is typed
 * @param signal - aborted when the list is not needed any more: what arrives later is dropped
 * @returns undefined if nothing matches
 */
export async function completeSql(
  { text, cursor, dialect, isExplicit }: CompletionRequest,
  catalog: CompletionCatalog,
  signal: AbortSignal,
): Promise<CompletionList | undefined> {
  const context = completionContext(text, cursor, dialect);
  if (context === undefined) return undefined;
  if (!isExplicit && !isOfferedUnasked(context)) return undefined;
  const found =
    context.qualifier.length > 0 ? qualified(context, catalog, signal) : unqualified(context, dialect, catalog, signal);
  const options = distinct(await found).slice(0, OPTIONS_MAX);
  return signal.aborted || options.length === 0 ? undefined : { from: context.from, to: context.to, options };
}

/** Enter takes an option, so a list must not open over a name that the user makes up, or where nothing is typed. */
const isOfferedUnasked = ({ prefix, qualifier, position }: CompletionContext): boolean =>
  position !== 'new-name' && (prefix !== '' || qualifier.length > 0 || position === 'table');

interface CompletionRequest {
  readonly text: string;
  readonly cursor: number;
  readonly dialect: SqlDialect;
  readonly isExplicit: boolean;
}

async function qualified(
  context: CompletionContext,
  catalog: CompletionCatalog,
  signal: AbortSignal,
): Promise<CompletionOption[]> {
  const { qualifier, prefix, tables } = context;
  const [alias = ''] = qualifier;
  const table = qualifier.length === 1 ? tables.find((each) => sameName(each.alias, alias)) : undefined;
  const path = table === undefined ? qualifier : await fullPath(table, catalog, signal);
  const names = path === undefined ? undefined : await catalog.below(path, prefix, signal);
  return (names?.find(prefix, OPTIONS_MAX) ?? []).map((name) => nameOption(name, context));
}

async function unqualified(
  context: CompletionContext,
  dialect: SqlDialect,
  catalog: CompletionCatalog,
  signal: AbortSignal,
): Promise<CompletionOption[]> {
  const { prefix, position, tables, isQuoted } = context;
  const aliases = tables.map(({ alias, path }) => ({
    ...plain(alias, 'alias', sqlName(alias)),
    detail: path.join('.') || null,
  }));
  if (position === 'table') {
    const [catalogs, found] = await Promise.all([
      catalog.below([], prefix, signal),
      prefix === '' ? [] : catalog.searchTables(prefix, signal),
    ]);
    return [
      ...matching(
        aliases.filter(({ detail }) => detail === null),
        prefix,
      ),
      ...found.map(tableOption),
      ...(catalogs?.find(prefix, OPTIONS_MAX) ?? []).map((name) => nameOption(name, context)),
    ];
  }
  const columns = await findColumns(tables.slice(0, TABLES_MAX), context, catalog, signal);
  if (isQuoted) return columns;
  const words = [
    ...functionsOf(dialect).map((word) => plain(word, 'function', word)),
    ...keywordsOf(dialect).map((word) => plain(matchCase(prefix, word), 'keyword', matchCase(prefix, word))),
  ];
  return [...columns, ...matching(aliases, prefix), ...(prefix === '' ? [] : matching(words, prefix))];
}

async function findColumns(
  tables: readonly NamedTable[],
  context: CompletionContext,
  catalog: CompletionCatalog,
  signal: AbortSignal,
): Promise<CompletionOption[]> {
  const found = await Promise.all(
    tables.map(async (table) => {
      const path = await fullPath(table, catalog, signal);
      return path === undefined ? undefined : catalog.below(path, context.prefix, signal);
    }),
  );
  return found
    .flatMap((names) => names?.find(context.prefix, OPTIONS_MAX) ?? [])
    .map((name) => nameOption(name, context));
}

/** Returns catalog, schema and table. A shorter name may be in any schema: the first of that name is taken. */
export async function fullPath(
  { path }: NamedTable,
  catalog: CompletionCatalog,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (path.length >= 3 || path.length === 0) return path.length === 0 ? undefined : path;
  const name = path.at(-1) ?? '';
  const found = await catalog.searchTables(name, signal);
  const schema = path.at(-2);
  const table = found.find(
    (each) => sameName(each.name, name) && (schema === undefined || sameName(each.path[1] ?? '', schema)),
  );
  return table === undefined ? undefined : [...table.path, table.name];
}

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

function plain(label: string, kind: CompletionOption['kind'], insert: string): CompletionOption {
  return { label, insert, kind, detail: null, description: null };
}

const nameOption = (
  { name, kind, detail, description }: CatalogName,
  { isQuoted }: CompletionContext,
): CompletionOption => ({
  label: name,
  insert: isQuoted ? `"${name.replaceAll('"', '""')}"` : sqlName(name),
  kind,
  detail,
  description,
});

/** A table that was found by its name alone is inserted with its whole name, because its schema may not be the default. */
const tableOption = ({ name, kind, description, path }: CatalogName): CompletionOption => ({
  label: name,
  insert: [...path, name].map(sqlName).join('.'),
  kind,
  detail: path.join('.'),
  description,
});

const matching = (options: readonly CompletionOption[], prefix: string): CompletionOption[] =>
  options.filter(({ label }) => label.toLowerCase().startsWith(prefix.toLowerCase()) && label !== prefix);

const matchCase = (prefix: string, word: string): string =>
  prefix !== '' && prefix === prefix.toLowerCase() ? word.toLowerCase() : word;

function distinct(options: readonly CompletionOption[]): CompletionOption[] {
  return [...new Map(options.map((option) => [`${option.kind} ${option.insert}`, option])).values()];
}
