import {
  type AuditExportInput,
  type EvidenceRange,
  type ExportAuditOptions,
  type ExportEvidenceOptions,
  exportAudit,
  exportEvidence,
} from '../audit/export-audit.ts';
import { type FollowAuditOptions, type FollowedRecord, followAudit } from '../audit/follow-audit.ts';
import type { ApiOperationTypes, Receipt, StreamOperationTypes } from '../contract-types.ts';
import { type ExportFilters, exportAll } from '../metadata/export-all.ts';
import { type ImportAllOptions, type ImportObject, type ImportReport, importAll } from '../metadata/import-all.ts';
import {
  type AwaitImportOptions,
  awaitImport,
  type FileImport,
  type ImportFileOptions,
  importFile,
  type ReportedObject,
  readReport,
} from '../metadata/import-file.ts';
import type { ApiOperations, CallOptions, StreamOperations } from '../operations/operations.ts';
import { type AwaitReceiptOptions, awaitReceipt } from '../queries/await-receipt.ts';
import { PageGuard } from './page-guard.ts';
import {
  type DatamapSearch,
  type FoundDatamap,
  type MarketplaceItem,
  searchDatamaps,
  searchMarketplace,
} from './search.ts';
import { type AuditEntry, type SearchAuditOptions, searchAudit } from './search-audit.ts';

/** A page of a list. */
interface Page<Entry> {
  readonly data: readonly Entry[];
  /** Absent on the last page. */
  readonly next_page_token?: string | undefined;
}

/**
 * Yields the entries of all pages, one request at a time. A page may be empty and still not be the last.
 * @param read - returns the page of a token; undefined: the first page
 */
async function* iteratePages<Entry>(
  read: (pageToken: string | undefined) => Promise<Page<Entry>>,
): AsyncGenerator<Entry, void, undefined> {
  const guard = new PageGuard();
  let token: string | undefined;
  do {
    const page = await read(token);
    yield* page.data;
    token = page.next_page_token;
    guard.add(page.data.length, token);
  } while (token !== undefined);
}

type Api = ApiOperationTypes;
type Signal = Pick<CallOptions, 'signal'>;
type Entry<Result> = Result extends { readonly data: readonly (infer Each)[] } ? Each : never;

/** Filters of a list, without its paging. */
type Filters<Query> = Omit<NonNullable<Query>, 'page_token'> & Signal;

/** Lists that are read over all their pages. Each page is requested when the loop reaches it. */
export interface Lists {
  /** Your own queries and downloads, newest first. */
  history(
    filters?: Filters<StreamOperationTypes['listQueryHistory']['query']>,
  ): AsyncGenerator<Entry<StreamOperationTypes['listQueryHistory']['result']>, void, undefined>;
  /** Waits until a query or download has ended, also while the connection fails for up to a minute, and returns its receipt. */
  awaitReceipt(queryId: string, options?: AwaitReceiptOptions): Promise<Receipt>;
  readonly audit: {
    /**
     * Records of the audit log; needs `audit:read`. Every page is itself recorded. If a page token expires (120 s), the search continues
     * where it was.
     */
    search(
      search?: Api['searchAuditLogs']['body'],
      options?: SearchAuditOptions,
    ): AsyncGenerator<AuditEntry, void, undefined>;
    /**
     * Bytes of an export of sealed records, as they arrive. Every export is recorded.
     * @throws IncompleteResultError if it ends early
     */
    export(input?: AuditExportInput, options?: ExportAuditOptions): AsyncGenerator<Uint8Array, void, undefined>;
    /**
     * Bytes of an evidence package (ZIP), as they arrive. Every package is recorded.
     * @throws IncompleteResultError if it ends early
     */
    evidence(range: EvidenceRange, options?: ExportEvidenceOptions): AsyncGenerator<Uint8Array, void, undefined>;
    /** Records as they are sealed, each once and in order, across connections that are cut. Ends by the signal or an error only. */
    follow(options?: FollowAuditOptions): AsyncGenerator<FollowedRecord, void, undefined>;
  };
  readonly catalog: {
    /** Catalogs that you may see. */
    catalogs(
      filters?: Filters<Api['listCatalogs']['query']>,
    ): AsyncGenerator<Entry<Api['listCatalogs']['result']>, void, undefined>;
    /** Schemas of a catalog, with the number of their tables. */
    schemas(
      catalog: string,
      filters?: Filters<Api['listCatalogSchemas']['query']>,
    ): AsyncGenerator<Entry<Api['listCatalogSchemas']['result']>, void, undefined>;
    /** Tables and views of a schema. */
    tables(
      catalog: string,
      schema: string,
      filters?: Filters<Api['listCatalogTables']['query']>,
    ): AsyncGenerator<Entry<Api['listCatalogTables']['result']>, void, undefined>;
  };
  readonly datamaps: {
    /**
     * Datamaps, or tables, views or your own drafts with `advance_options`.
     * @throws SluiceError `too_many_matches` behind the 10,000th
     */
    search(search?: DatamapSearch, options?: Signal): AsyncGenerator<FoundDatamap, void, undefined>;
  };
  readonly marketplace: {
    /**
     * Items of the marketplace, sorted by title.
     * @param words - words of title, description or tags, which must all match
     */
    search(words?: string, options?: Signal): AsyncGenerator<MarketplaceItem, void, undefined>;
  };
  readonly metadata: {
    /**
     * Descriptions, tags, domains and fields, as `importAll` takes them. Every export is recorded.
     * @throws IncompleteResultError if it ends early
     */
    exportAll(filters?: ExportFilters, options?: Signal): AsyncGenerator<ImportObject, void, undefined>;
    /** Imports any number of objects in requests of at most 50, each with an `Idempotency-Key`. Returns one result per object. */
    importAll(
      objects: AsyncIterable<ImportObject> | Iterable<ImportObject>,
      options?: ImportAllOptions,
    ): Promise<ImportReport>;
    /** Sends a file (CSV, NDJSON, JSON or YAML), which the host applies in the background, and waits for the end. */
    importFile(
      body: string | Uint8Array | Blob | ReadableStream<Uint8Array>,
      options: ImportFileOptions,
    ): Promise<FileImport>;
    /** Waits for the end of an import of a file that was started before, also while the connection fails for up to a minute. */
    awaitImport(id: string, options?: AwaitImportOptions): Promise<FileImport>;
    /**
     * Objects of an import of a file that has ended, with their results.
     * @throws IncompleteResultError if it ends early
     */
    readReport(
      id: string,
      options?: Signal & { readonly failed?: boolean },
    ): AsyncGenerator<ReportedObject, void, undefined>;
  };
}

/** Separates the signal from the filters and adds the token of a page. */
function pageInput<F extends Signal>({ signal, ...filters }: F, pageToken: string | undefined) {
  const query = pageToken === undefined ? filters : { ...filters, page_token: pageToken };
  return signal === undefined ? { query } : { query, signal };
}

/** Creates the lists of a client. */
export function createLists(stream: StreamOperations, api: ApiOperations): Lists {
  return {
    history: (filters = {}) => iteratePages((token) => stream.listQueryHistory(pageInput(filters, token))),
    awaitReceipt: (queryId, options) => awaitReceipt(stream, queryId, options),
    audit: {
      search: (search, options) => searchAudit(api, search, options),
      export: (input, options) => exportAudit(api, input, options),
      evidence: (range, options) => exportEvidence(api, range, options),
      follow: (options) => followAudit(api, options),
    },
    catalog: {
      catalogs: (filters = {}) => iteratePages((token) => api.listCatalogs(pageInput(filters, token))),
      schemas: (catalog, filters = {}) =>
        iteratePages((token) => api.listCatalogSchemas({ params: { catalog }, ...pageInput(filters, token) })),
      tables: (catalog, schema, filters = {}) =>
        iteratePages((token) => api.listCatalogTables({ params: { catalog, schema }, ...pageInput(filters, token) })),
    },
    datamaps: { search: (search, options) => searchDatamaps(api, search, options) },
    marketplace: { search: (words, options) => searchMarketplace(stream, words, options) },
    metadata: {
      exportAll: (filters, options) => exportAll(api, filters, options),
      importAll: (objects, options) => importAll(api, objects, options),
      importFile: (body, options) => importFile(api, body, options),
      awaitImport: (id, options) => awaitImport(api, id, options),
      readReport: (id, options) => readReport(api, id, options),
    },
  };
}
