import { type ApiOperationTypes, type Client, ResponseError } from '@sluice/client';
import { CommandError } from '../errors.ts';
import { parseQualifiedName, qualifiedName } from './qualified-name.ts';

type CatalogTable = ApiOperationTypes['getCatalogTable']['result'];

/** Catalog and schema of names that have none. A part is null if the engine has none. */
export interface DefaultSchema {
  readonly catalog: string | null;
  readonly schema: string | null;
}

/** Both engines know these names. */
const DEFAULTS_SQL = 'SELECT current_catalog, current_schema';
const FORBIDDEN = 403;
const NOT_FOUND = 404;
/** Schema of a DuckDB catalog that completes a name, as the default schema does. */
const MAIN = 'main';
/** The search lists exact names first. */
const MATCHES_MAX = 100;
const SHOWN_MAX = 10;

/**
 * Asks the engine where a statement looks for a table without a catalog or schema.
 * @returns undefined if the account may not run statements
 */
export async function readDefaultSchema(client: Client, signal: AbortSignal): Promise<DefaultSchema | undefined> {
  try {
    const found: DefaultSchema[] = [];
    for await (const [catalog = 'null', schema = 'null'] of client.query(DEFAULTS_SQL, { rows: 'text', signal }))
      found.push({ catalog: JSON.parse(catalog) as string | null, schema: JSON.parse(schema) as string | null });
    return found[0];
  } catch (error) {
    if (error instanceof ResponseError && error.status === FORBIDDEN) return undefined;
    throw error;
  }
}

async function readTable(
  { api }: Client,
  [catalog = '', schema = '', table = '']: readonly string[],
  signal: AbortSignal,
): Promise<CatalogTable | undefined> {
  return await api.getCatalogTable({ params: { catalog, schema, table }, signal }).catch((error: unknown) => {
    if (error instanceof ResponseError && error.status === NOT_FOUND) return undefined;
    throw error;
  });
}

const isSame = (path: readonly string[], meaning: readonly (string | null)[]): boolean =>
  path.length === meaning.length && path.every((part, index) => part.toLowerCase() === meaning[index]?.toLowerCase());

/** Returns the paths of all tables and views with a name, in any case and in any schema. */
async function findNamed({ api }: Client, name: string, signal: AbortSignal): Promise<readonly (readonly string[])[]> {
  const pages = (['TABLE', 'VIEW'] as const).map((type) =>
    api.searchDatamaps({ body: { q: name, from: 0, size: MATCHES_MAX, advance_options: { type } }, signal }),
  );
  const matches = (await Promise.all(pages)).flatMap(({ data }) => data.map(({ id }) => id));
  return matches
    .map((id) => parseQualifiedName(id, { min: 3, max: 3, form: 'CATALOG.SCHEMA.TABLE' }))
    .filter((path) => isSame(path.slice(-1), [name]))
    .sort((one, other) => (qualifiedName(one) < qualifiedName(other) ? -1 : 1));
}

/** A full name. A part is null if the engine has no default for it; such a name means nothing. */
type Meaning = readonly (string | null)[];

/** Returns what the parts of a name may mean, as the engines complete it: each group hides the next one. */
function meaningsOf(parts: readonly string[], { catalog, schema }: DefaultSchema): readonly (readonly Meaning[])[] {
  const [first = '', second = ''] = parts;
  if (parts.length === 3) return [[parts]];
  if (parts.length === 1) return [[[catalog, schema, first]], [[catalog, MAIN, first]]];
  return [[[catalog, first, second], ...[...new Set([schema, MAIN])].map((each) => [first, each, second])]];
}

/** The catalog has no such table. The engine may have it, if it was created after the last harvest. */
export class TableNotFoundError extends CommandError {}

const listed = (paths: readonly (readonly string[])[]): string =>
  `${paths.slice(0, SHOWN_MAX).map(qualifiedName).join(', ')}${paths.length > SHOWN_MAX ? ', ...' : ''}`;

function noTable(
  parts: readonly string[],
  named: readonly (readonly string[])[],
  defaults: DefaultSchema | undefined,
): TableNotFoundError {
  if (parts.length === 3 && named.length === 0)
    return new TableNotFoundError(
      `There is no table ${qualifiedName(parts)}. \`sluice catalog list ${qualifiedName(parts.slice(0, 2))}\` shows what there is.`,
    );
  const inside = [defaults?.catalog, defaults?.schema].filter((part) => typeof part === 'string');
  const where =
    parts.length === 1 && inside.length > 0 ? ` in ${qualifiedName(inside)}, where statements look for it` : '';
  const list = parts.length === 2 ? `\`sluice catalog list ${qualifiedName(parts)}\` lists a schema, and ` : '';
  const others =
    named.length > 0
      ? `Tables of this name: ${listed(named)}.`
      : `${list}\`sluice search ${parts.at(-1)}\` finds names that are like it.`;
  return new TableNotFoundError(`There is no table ${qualifiedName(parts)}${where}. ${others}`);
}

interface ResolveOptions {
  readonly signal: AbortSignal;
  /** Reads the default schema, for a name that needs it. */
  readonly readDefaults: () => Promise<DefaultSchema | undefined>;
}

/**
 * Finds the table or view that a name means in a statement, in the catalog as last harvested. Case does not matter.
 * @throws UsageError if the text is not a name; TableNotFoundError with the candidates; CommandError if it means several tables
 */
export async function resolveTable(
  client: Client,
  name: string,
  { signal, readDefaults }: ResolveOptions,
): Promise<CatalogTable> {
  const parts = parseQualifiedName(name, { min: 1, max: 3, form: 'TABLE, SCHEMA.TABLE or CATALOG.SCHEMA.TABLE' });
  const exact = parts.length === 3 ? await readTable(client, parts, signal) : undefined;
  if (exact !== undefined) return exact;
  const [named, defaults] = await Promise.all([
    findNamed(client, parts.at(-1) ?? '', signal),
    parts.length === 3 ? { catalog: null, schema: null } : readDefaults(),
  ]);
  // An account that may not run statements has no default schema.
  const groups = defaults === undefined ? [named] : meaningsOf(parts, defaults);
  for (const group of groups) {
    const meant = named.filter((path) => group.some((meaning) => isSame(path, meaning)));
    const spelled = meant.filter((path) => path.at(-1) === parts.at(-1));
    const found = spelled.length === 1 ? spelled : meant;
    const [only] = found;
    if (found.length > 1)
      throw new CommandError(`${qualifiedName(parts)} is ambiguous. Write one of these: ${listed(found)}.`);
    const table = only === undefined ? undefined : await readTable(client, only, signal);
    if (table !== undefined) return table;
  }
  throw noTable(parts, named, defaults);
}
