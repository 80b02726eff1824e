import { qualifiedName, quotedName } from '../names/qualified-name.ts';
import type { CatalogNames, TablePath } from './catalog-names.ts';
import { type NamePart, type ScannedName, scanNames } from './scan-names.ts';

/** Words that complete in every statement. */
const KEYWORDS: readonly string[] = (
  'ALL AND AS ASC BETWEEN BY CASE CAST CROSS CURRENT_DATE CURRENT_TIMESTAMP DATE DESC DESCRIBE DISTINCT ELSE END EXCEPT EXISTS ' +
  'EXPLAIN EXTRACT FALSE FETCH FILTER FIRST FOLLOWING FROM FULL GROUP GROUPING HAVING IN INNER INTERSECT INTERVAL INTO IS JOIN LAST ' +
  'LATERAL LEFT LIKE LIMIT NATURAL NOT NULL NULLS OFFSET ON OR ORDER OUTER OVER PARTITION PRECEDING RANGE RIGHT ROLLUP ROW ROWS SELECT ' +
  'SETS SHOW SUMMARIZE TABLE TABLES TABLESAMPLE THEN TIMESTAMP TRUE UNBOUNDED UNION UNNEST USING VALUES WHEN WHERE WINDOW WITH ' +
  'avg( coalesce( count( date_trunc( lower( max( min( nullif( round( row_number( substr( sum( trim( upper('
).split(' ');

/** Words that can replace what was typed, and what was typed. */
export type Completion = readonly [words: readonly string[], begun: string];

/** Tables of a statement whose columns are looked up. */
const MENTIONS_MAX = 8;
const TABLE_PARTS = 3;
const AFTER_TABLE_WORD = /\b(?:from|join|describe|summarize|table)\s+$/i;

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** Returns whether a name begins with a typed part. Without quotes, case is ignored. */
const matches = (name: string, { text, isQuoted }: NamePart): boolean =>
  isQuoted ? name.startsWith(text) : name.toLowerCase().startsWith(text.toLowerCase());

/** The name at the end of the SQL, which may be empty. */
interface BegunName {
  /** Typed text before the last part, with its dot. */
  readonly raw: string;
  readonly path: readonly string[];
  readonly last: NamePart;
}

const writeLast = ({ isQuoted }: NamePart, name: string): string =>
  isQuoted ? quotedName(name) : qualifiedName([name]);

/** Next step of a name: a catalog, a schema, or a table. */
function tableWords(names: CatalogNames, { raw, path, last }: BegunName): string[] {
  if (path.length >= TABLE_PARTS) return [];
  const end = path.length < TABLE_PARTS - 1 ? '.' : '';
  return names
    .below(path, last.text)
    .filter((name) => matches(name, last))
    .map((name) => `${raw}${writeLast(last, name)}${end}`);
}

/** Tables whose own name begins so, in full: the default schema is the engine's, so a bare name may mean another table. */
const bareTableWords = (names: CatalogNames, { path, last }: BegunName): string[] =>
  last.text === '' || path.length > 0
    ? []
    : names
        .tables()
        .filter((table) => matches(table[2], last))
        .map(qualifiedName);

/** Returns the tables that a name means: the whole path, or its last part or parts. */
function tablesMeant(names: CatalogNames, { parts }: ScannedName): readonly TablePath[] {
  const path = parts.map(({ text }) => text);
  const found = names
    .tables()
    .filter((table) => path.every((text, index) => isSame(table[3 - path.length + index] ?? '', text)));
  if (found.length > 0 || path.length !== TABLE_PARTS || path.includes(''))
    return path.length > TABLE_PARTS ? [] : found;
  return [path as unknown as TablePath];
}

interface Mention {
  readonly table: TablePath;
  /** Names by which columns may be written: the table's own, and its alias. */
  readonly owners: readonly string[];
}

/** Finds the tables that a statement names. */
function mentionsIn(names: CatalogNames, text: string, scanned: readonly ScannedName[]): readonly Mention[] {
  return scanned
    .flatMap((name, index) => {
      const next = scanned[index + 1];
      const isAs = next !== undefined && isSame(next.parts[0]?.text ?? '', 'as');
      const alias = isAs ? scanned[index + 2] : next;
      const between = alias === undefined ? ';' : text.slice(name.end, alias.start);
      const isAlias = /^\s+(?:as\s+)?$/i.test(between) && alias?.parts.length === 1;
      return tablesMeant(names, name).map((table) => ({
        table,
        owners: [table[2], ...(isAlias ? [alias.parts[0]?.text ?? ''] : [])],
      }));
    })
    .slice(0, MENTIONS_MAX);
}

/** Columns of the tables that the statement names, also behind `table.` or `alias.`. */
function columnWords(names: CatalogNames, mentions: readonly Mention[], { raw, path, last }: BegunName): string[] {
  const [owner] = path;
  const isMeant = ({ owners, table }: Mention): boolean =>
    owner === undefined ||
    (path.length === 1 && owners.some((each) => isSame(each, owner))) ||
    (path.length === TABLE_PARTS && path.every((text, index) => isSame(table[index] ?? '', text)));
  return mentions
    .filter(isMeant)
    .flatMap(({ table }) => names.below(table, ''))
    .filter((name) => matches(name, last))
    .map((name) => `${raw}${writeLast(last, name)}`);
}

/** Keywords in the case of what was typed. */
function keywordWords({ path, last: { text, isQuoted } }: BegunName): string[] {
  if (path.length > 0 || text === '' || isQuoted) return [];
  const found = KEYWORDS.filter((word) => word.toLowerCase().startsWith(text.toLowerCase()));
  return text === text.toLowerCase() ? found.map((word) => word.toLowerCase()) : found;
}

function readBegun(line: string, text: string, name: ScannedName | undefined): BegunName {
  const lineStart = text.length - line.length;
  if (name === undefined || name.end !== text.length || name.start < lineStart)
    return { raw: '', path: [], last: { text: '', isQuoted: false, start: text.length } };
  const last = name.parts.at(-1) as NamePart;
  return { raw: text.slice(name.start, last.start), path: name.parts.slice(0, -1).map((part) => part.text), last };
}

/**
 * Completes a statement at its end. Only names that are loaded already are found.
 * @param before - earlier lines of the statement
 * @param line - the line up to the cursor
 */
export function completeSql(names: CatalogNames, before: string, line: string): Completion {
  const text = `${before}${line}`;
  const scanned = scanNames(text);
  if (scanned.open !== 'text' && scanned.open !== 'name') return [[], ''];
  const begun = readBegun(line, text, scanned.names.at(-1));
  const typed = text.slice(begun.last.start - begun.raw.length);
  const tables = (): string[] => [...tableWords(names, begun), ...bareTableWords(names, begun)];
  if (AFTER_TABLE_WORD.test(text.slice(0, text.length - typed.length))) return [[...new Set(tables())].sort(), typed];
  const others = typed === '' ? scanned.names : scanned.names.slice(0, -1);
  const columns = columnWords(names, mentionsIn(names, text, others), begun);
  const words = [...columns, ...keywordWords(begun), ...(typed === '' ? [] : tables())];
  return [[...new Set(words)].sort(), typed];
}
