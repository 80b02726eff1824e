import { randomUUID } from 'node:crypto';
import {
  type ArchiveCompression,
  type Caller,
  DOWNLOAD_FORMATS,
  type DownloadFormatName,
  type MarketplaceFormat,
  marketplaceFormat,
  type QueryParameter,
} from '@sluice/contract';
import type { FormatSpec } from '@sluice/encoders';
import { granteeOf, noSuchItem, whyNotDownload } from '@sluice/marketplace';
import type { DatamapCounters } from '@sluice/store/datamaps';
import type { MarketplaceDownloads, StoredItem } from '@sluice/store/marketplace';
import type { ResourceDatabase } from '@sluice/store/resources';
import type { PreparedDownload, Transfer } from '../queries/prepared-download.ts';
import type { QueryRun } from '../queries/query-run.ts';
import type { StartQuery } from '../queries/start-query.ts';
import type { Bundle, BundledStatement } from './bundle.ts';
import { bundleWorkbook } from './bundle-workbook.ts';
import { bundleZip } from './bundle-zip.ts';
import { type GivenParameters, readItemParameters } from './item-parameters.ts';

interface DownloadMarketplaceDependencies {
  readonly database: Pick<ResourceDatabase, 'read'>;
  readonly marketplaceDownloads: Pick<MarketplaceDownloads, 'begin' | 'count' | 'noteComplete'>;
  readonly datamapCounters: Pick<DatamapCounters, 'countQuery'>;
  readonly startQuery: StartQuery;
  /** Limits the disk space for strings that are longer than a cell of a workbook. */
  readonly overflowBytesMax: number;
}

type MarketplaceDownloadInput = GivenParameters & {
  readonly id: string;
  readonly format: MarketplaceFormat;
  /** Compression of an archive; other files ignore it. Default: `deflate`. */
  readonly compression?: ArchiveCompression | undefined;
};

/**
 * Prepares the download of an item. Each of its queries runs with the caller's own rights in the engine. Throws `not_found`,
 * `access_denied` without a grant, `conflict` when one of its datamaps is not published, and `invalid_request` for values that do not fit
 * the parameters which its datamaps declare.
 */
export type DownloadMarketplaceItem = (caller: Caller, input: MarketplaceDownloadInput) => Promise<PreparedDownload>;

export function createDownloadMarketplaceItem(dependencies: DownloadMarketplaceDependencies): DownloadMarketplaceItem {
  const { database, overflowBytesMax } = dependencies;
  return async (caller, input) => {
    const { principal } = caller;
    const item = await database.read(caller, ({ items }) => items.find(input.id, granteeOf(principal)));
    if (item === undefined) throw noSuchItem();
    const refusal = whyNotDownload(item, principal);
    if (refusal !== undefined) throw refusal;
    const declared = item.queries.map(({ parameters }) => parameters);
    const { all: parameters, byQuery } = readItemParameters(declared, input);
    const statements = statementsOf(item, byQuery);
    const name = marketplaceFormat(input.format);
    const format: FormatSpec = { name, bigNumbers: 'number', formulas: 'keep', progress: 'hidden' };
    const compression = input.compression ?? 'deflate';
    const bundle = bundleOf(item, { name, format, statements, overflowBytesMax, compression });
    const { mediaType, extension } = bundle?.file ?? DOWNLOAD_FORMATS[name];
    return {
      file: { mediaType, filename: item.id, extension },
      start: (transfer) =>
        startDownload(dependencies, { caller, item, input, parameters, statements, format, bundle, transfer }),
      count: () => countDownload(dependencies, caller, item),
    };
  };
}

/** Counts a download of an item, and a query of each of its datamaps. */
async function countDownload(
  { marketplaceDownloads, datamapCounters }: DownloadMarketplaceDependencies,
  { principal }: Caller,
  item: StoredItem,
): Promise<void> {
  const tenantId = principal.tenant.id;
  for (const { datamapId } of item.queries) datamapCounters.countQuery({ tenantId, factId: datamapId });
  await marketplaceDownloads.count(tenantId, item.id);
}

interface StartInput {
  readonly caller: Caller;
  readonly item: StoredItem;
  readonly input: MarketplaceDownloadInput;
  /** Values of the parameters of all statements. */
  readonly parameters: readonly QueryParameter[];
  readonly statements: readonly BundledStatement[];
  readonly format: FormatSpec;
  readonly bundle: Bundle | undefined;
  readonly transfer: Transfer;
}

async function startDownload(
  { marketplaceDownloads, startQuery }: DownloadMarketplaceDependencies,
  { caller, item, input, parameters, statements, format, bundle, transfer }: StartInput,
): Promise<QueryRun> {
  const queryId = transfer.queryId ?? randomUUID();
  const tenantId = caller.principal.tenant.id;
  await marketplaceDownloads.begin({ tenantId, queryId, itemId: item.id, version: item.version });
  return await startQuery(caller, {
    ...transfer,
    queryId,
    action: 'DOWNLOAD_MARKETPLACE',
    target: item.id,
    sql: statements.map(({ sql }) => sql).join('\n;\n'),
    parameters,
    format,
    ...(bundle === undefined ? {} : { bundle }),
    timeZone: 'UTC',
    rowsMax: undefined,
    onFinished({ rows, bytes }) {
      const { format } = input;
      // Not awaited: the last bytes wait for the receipt only. A lost note leaves the size of an earlier download.
      marketplaceDownloads.noteComplete({ tenantId, itemId: item.id, format, rows, bytes }).catch(() => undefined);
    },
    metadata: {
      item_id: item.id,
      version: item.version,
      format: input.format,
      ...(input.compression === undefined ? {} : { compression: input.compression }),
      queries: queriesOf(item),
    },
  });
}

const statementsOf = (item: StoredItem, byQuery: readonly (readonly QueryParameter[])[]): readonly BundledStatement[] =>
  item.queries.map(({ name, datamapId, sql }, index) => ({
    name,
    sql: sql ?? '',
    parameters: byQuery[index],
    about: datamapId,
  }));

const queriesOf = (item: StoredItem): readonly object[] =>
  item.queries.map(({ name, datamapId, sql }) => ({ name, datamap_id: datamapId, sql }));

interface BundleOptions {
  readonly name: DownloadFormatName;
  readonly format: FormatSpec;
  readonly statements: readonly BundledStatement[];
  readonly overflowBytesMax: number;
  readonly compression: ArchiveCompression;
}

/** Returns undefined when the one result is the file. */
function bundleOf(item: StoredItem, options: BundleOptions): Bundle | undefined {
  const { name, format, statements, overflowBytesMax, compression } = options;
  if (DOWNLOAD_FORMATS[name].assembly === 'workbook') return bundleWorkbook(statements, { overflowBytesMax });
  if (statements.length === 1) return undefined;
  const { id, title, version, license, termsOfUse } = item;
  const terms = {
    ...(license === null ? {} : { license }),
    ...(termsOfUse === null ? {} : { terms_of_use: termsOfUse }),
  };
  const manifest = { item_id: id, title, version, ...terms };
  return bundleZip(statements, { format, extension: DOWNLOAD_FORMATS[name].extension, compression, manifest });
}
