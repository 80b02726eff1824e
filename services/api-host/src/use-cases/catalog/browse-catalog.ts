import { invalidPageToken, type PageTokens } from '@sluice/auth';
import {
  auditOf,
  type Caller,
  type CatalogFiles,
  type CatalogFilesQuery,
  type CatalogPageQuery,
  type CatalogSchemas,
  type Catalogs,
  type CatalogTable,
  type CatalogTables,
  formatTableName,
  PAGE_DEFAULT,
  ProblemError,
  recordsMetadataReads,
} from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { BrowseStore, NamedEntries, NamePage } from '@sluice/store/catalog';
import type { FilesReportReader } from '@sluice/tenant-engines';
import { z } from 'zod';

interface BrowseCatalogDependencies {
  readonly browse: BrowseStore;
  readonly audit: Pick<AuditStore, 'append'>;
  readonly pageTokens: PageTokens;
}

export interface SchemaName {
  readonly catalog: string;
  readonly schema: string;
}

/**
 * Lists the harvested catalogs. Throws `invalid_page_token` for a token of another caller, list or prefix, and fails if the read cannot
 * be recorded.
 */
type ListCatalogs = (caller: Caller, query: CatalogPageQuery) => Promise<Catalogs>;
/** Lists schemas. Throws as `ListCatalogs`, and `not_found` for a name that the last harvest did not find. */
type ListSchemas = (caller: Caller, query: CatalogPageQuery & Pick<SchemaName, 'catalog'>) => Promise<CatalogSchemas>;
/** Lists the schemas of the catalog `files`, and the files of SLUICE_DATA_DIR. Throws as `ListSchemas`. */
type ListFiles = (caller: Caller, query: CatalogFilesQuery) => Promise<CatalogFiles>;
/** Lists tables and views. Throws as `ListSchemas`. */
type ListTables = (caller: Caller, query: CatalogPageQuery & SchemaName) => Promise<CatalogTables>;
/** Returns a table or view. Throws `not_found` as `ListSchemas`, and fails if the read cannot be recorded. */
type FindTable = (caller: Caller, name: SchemaName & { readonly table: string }) => Promise<FoundTable>;

/** A table with the version of its metadata. */
export interface FoundTable {
  readonly table: CatalogTable;
  readonly version: number;
}

const pageState = z.strictObject({ prefix: z.string().optional(), after: z.string() });
type PageState = z.infer<typeof pageState>;

/** Names of the parents of a list: none, the catalog, or catalog and schema. */
type Parents = Partial<SchemaName>;
type ReadPage<T> = (page: NamePage) => Promise<NamedEntries<T> | undefined>;

const ownerOf = ({ principal }: Caller, { catalog, schema }: Parents): string[] => [
  'catalog',
  principal.tenant.id,
  principal.id,
  ...[catalog, schema].filter((name) => name !== undefined),
];

/** Records a read, unless the tenant has chosen not to record reads of metadata. */
async function recordRead(
  { audit }: Pick<BrowseCatalogDependencies, 'audit'>,
  caller: Caller,
  read: Omit<Parameters<typeof auditOf>[1], 'action'>,
): Promise<void> {
  if (recordsMetadataReads(caller.principal.tenant))
    await audit.append(auditOf(caller, { action: 'READ_CATALOG', ...read }));
}

const missing = (what: string): ProblemError =>
  new ProblemError('not_found', `The last harvest found no such ${what}. Names are case-sensitive.`);

/** Creates the function that reads a page of any list of names, and records that. */
function createReadPage({ audit, pageTokens }: Pick<BrowseCatalogDependencies, 'audit' | 'pageTokens'>) {
  const pageOf = async (
    owner: readonly string[],
    { page_token: token, prefix, size = PAGE_DEFAULT }: CatalogPageQuery,
  ): Promise<NamePage> => {
    if (token === undefined) return { prefix, size };
    const { data: state } = pageState.safeParse(await pageTokens.open(token, owner));
    if (state === undefined || (prefix !== undefined && prefix !== state.prefix)) throw invalidPageToken();
    return { ...state, size };
  };

  return async <T>(
    caller: Caller,
    { parents, query }: { readonly parents: Parents; readonly query: CatalogPageQuery },
    read: ReadPage<T>,
  ): Promise<{ data: T[]; next_page_token?: string }> => {
    const owner = ownerOf(caller, parents);
    const page = await pageOf(owner, query);
    const found = await read(page);
    if (found === undefined) throw missing(parents.schema === undefined ? 'catalog' : 'schema');
    const { prefix, size } = page;
    const metadata = { ...parents, ...(prefix === undefined ? {} : { prefix }), size };
    const target = parents.schema ?? parents.catalog ?? 'catalog';
    await recordRead({ audit }, caller, { target, metadata });
    if (found.next === undefined) return { data: [...found.entries] };
    const state: PageState = { ...(prefix === undefined ? {} : { prefix }), after: found.next };
    return { data: [...found.entries], next_page_token: await pageTokens.issue(state, owner) };
  };
}

export function createListCatalogs({ browse, ...rest }: BrowseCatalogDependencies): ListCatalogs {
  const readPage = createReadPage(rest);
  return (caller, query) =>
    readPage(caller, { parents: {}, query }, (page) => browse.listCatalogs(caller.principal.tenant.id, page));
}

export function createListSchemas({ browse, ...rest }: BrowseCatalogDependencies): ListSchemas {
  const readPage = createReadPage(rest);
  return (caller, { catalog, ...query }) =>
    readPage(caller, { parents: { catalog }, query }, (page) =>
      browse.listSchemas(caller.principal.tenant.id, catalog, page),
    );
}

/** Name of the catalog with the views of SLUICE_DATA_DIR. */
const FILES_CATALOG = 'files';

export function createListFiles({
  browse,
  filesReport,
  ...rest
}: BrowseCatalogDependencies & { readonly filesReport: FilesReportReader }): ListFiles {
  const readPage = createReadPage(rest);
  return async (caller, { files_after: after = '', state, ...query }) => {
    const { tenant } = caller.principal;
    const files = await filesReport(tenant);
    const schemas = await readPage(caller, { parents: { catalog: FILES_CATALOG }, query }, async (page) => {
      // The catalog is harvested some seconds after its files are read.
      const notHarvested = files === undefined ? undefined : { entries: [], next: undefined };
      return (await browse.listSchemas(tenant.id, FILES_CATALOG, page)) ?? notHarvested;
    });
    const following = (files ?? []).filter(
      (file) => file.path > after && (state === undefined || file.state === state),
    );
    const size = query.size ?? PAGE_DEFAULT;
    const last = following[size - 1];
    return {
      ...schemas,
      files: following.slice(0, size),
      ...(following.length > size && last !== undefined ? { next_files_after: last.path } : {}),
      file_count: files?.length ?? 0,
      problem_count: (files ?? []).filter((file) => file.state === 'problem').length,
    };
  };
}

export function createListTables({ browse, ...rest }: BrowseCatalogDependencies): ListTables {
  const readPage = createReadPage(rest);
  return (caller, { catalog, schema, ...query }) =>
    readPage(caller, { parents: { catalog, schema }, query }, (page) =>
      browse.listTables(caller.principal.tenant.id, { catalog, schema }, page),
    );
}

export const createFindTable =
  ({ browse, audit }: Pick<BrowseCatalogDependencies, 'browse' | 'audit'>): FindTable =>
  async (caller, { catalog, schema, table }) => {
    const found = await browse.findTable(caller.principal.tenant.id, { catalog, schema, table });
    if (found === undefined) throw missing('table or view');
    const id = formatTableName({ catalog, schema, name: table });
    const metadata = { catalog, schema, table };
    await recordRead({ audit }, caller, { target: id, metadata });
    return { table: { id, ...found.table }, version: found.version };
  };
