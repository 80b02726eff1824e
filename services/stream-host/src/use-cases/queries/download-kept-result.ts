import {
  auditOf,
  type Caller,
  DOWNLOAD_FORMATS,
  type DownloadFormat,
  type DownloadFormatName,
  invalidRequest,
} from '@sluice/contract';
import type { FormatSpec } from '@sluice/encoders';
import type { ResultHeader } from '@sluice/result-store/form';
import type { AuditStore } from '@sluice/store/audit';
import type { KeptResults, OpenedKeptResult } from '../../queries/kept-results.ts';
import type { RenderedFile, RenderedFiles } from '../../queries/rendered-files.ts';
import type { Bundle } from '../marketplace/bundle.ts';
import { bundleWorkbook } from '../marketplace/bundle-workbook.ts';
import { type FileOptions, fileFormat } from './file-format.ts';
import { openKeptResult } from './open-kept-result.ts';
import type { DownloadFile } from './prepared-download.ts';
import { type RenderKeptResultDependencies, renderKeptResult } from './render-kept-result.ts';

interface DownloadKeptResultDependencies extends RenderKeptResultDependencies {
  /** Undefined: this deployment keeps no results. */
  readonly keptResults: KeptResults | undefined;
  readonly renderedFiles: Pick<RenderedFiles, 'open'>;
  readonly audit: Pick<AuditStore, 'append'>;
  /** Limit of the disk space for strings that are longer than a cell of a workbook. */
  readonly overflowBytesMax: number;
}

interface ResultDownloadInput extends FileOptions {
  readonly queryId: string;
  readonly format: DownloadFormatName;
  readonly filename: string;
}

/** A file of a kept result that the caller may download now. */
export interface ResultDownload {
  /** Id of the execution. */
  readonly queryId: string;
  readonly file: DownloadFile;
  /** Returns the complete file, which the caller disposes of. Throws what `renderKeptResult` and `RenderedFiles.open` throw. */
  open(signal: AbortSignal): Promise<RenderedFile>;
  /** Records that the file, or a part of it (`first-last`), is about to be sent. Throws `audit_unavailable`. */
  record(range: string | undefined): Promise<void>;
}

/**
 * Prepares the download of a kept result, with the bytes of a direct download of its execution. Nothing is made or recorded yet. Throws what
 * `openKeptResult` throws, and `invalid_request` for an option that the format does not have.
 */
export type DownloadKeptResult = (caller: Caller, input: ResultDownloadInput) => Promise<ResultDownload>;

/** Wait after which the rights of the caller are checked again: they may have changed meanwhile. */
const REVALIDATE_AFTER_MS = 1_000;

export function createDownloadKeptResult(dependencies: DownloadKeptResultDependencies): DownloadKeptResult {
  const { keptResults, renderedFiles, audit, overflowBytesMax } = dependencies;
  return async (caller, input) => {
    const { format: formatName, filename, queryId: givenId, ...options } = input;
    const { mediaType, extension, label, options: known }: DownloadFormat = DOWNLOAD_FORMATS[formatName];
    requireOptions(options, { known, label });
    const open = () => openKeptResult(keptResults, caller, givenId);
    const { identity, header, sha256, tablesRead, isOwn } = await factsOf(open, caller);
    const { queryId } = identity;
    const format = fileFormat(formatName, options);
    const workbook = { filename, isOwn, header, format, overflowBytesMax };
    const variant = variantOf(sha256, workbook);
    const render = renderKeptResult(dependencies, {
      caller,
      open,
      format,
      // It holds the file that it makes, so each rendering has its own.
      bundle: formatName === 'xlsx' ? workbookOf(workbook) : undefined,
    });
    return {
      queryId,
      file: { mediaType, filename, extension },
      async open(signal) {
        const startedMs = performance.now();
        const file = await renderedFiles.open({ ...identity, variant }, render, signal);
        try {
          if (performance.now() - startedMs > REVALIDATE_AFTER_MS) await (await open())[Symbol.asyncDispose]();
          return file;
        } catch (thrown) {
          await file[Symbol.asyncDispose]();
          throw thrown;
        }
      },
      async record(range) {
        const metadata = { format: formatName, filename, ...(range === undefined ? {} : { range }), ...tablesRead };
        await audit.append({ ...auditOf(caller, { action: 'DOWNLOAD_RESULT', target: queryId, metadata }), queryId });
      },
    };
  };
}

/** Rejects options of other formats, as the download of a statement does. */
function requireOptions(
  options: FileOptions,
  { known, label }: { readonly known: readonly string[]; readonly label: string },
): void {
  const unknown = Object.entries(options).find(([name, value]) => value !== undefined && !known.includes(name));
  if (unknown !== undefined)
    throw invalidRequest({ path: `query.${unknown[0]}`, message: `is not an option of ${label}` });
}

interface ResultFacts {
  readonly identity: { readonly tenantId: string; readonly queryId: string };
  readonly header: ResultHeader;
  readonly sha256: string;
  readonly tablesRead: OpenedKeptResult['kept']['tablesRead'];
  /** The caller ran the statement. */
  readonly isOwn: boolean;
}

async function factsOf(open: () => Promise<OpenedKeptResult>, { principal }: Caller): Promise<ResultFacts> {
  await using opened = await open();
  const { kept, reader, spec } = opened;
  const { tenantId, queryId } = spec;
  return {
    identity: { tenantId, queryId },
    header: reader.header,
    sha256: kept.sha256,
    tablesRead: kept.tablesRead,
    isOwn: kept.accountKind === principal.kind && kept.accountId === principal.id,
  };
}

interface WorkbookFacts extends Pick<ResultFacts, 'header' | 'isOwn'> {
  readonly filename: string;
  readonly format: FormatSpec;
  readonly overflowBytesMax: number;
}

/** A workbook contains its name, and the statement for the account that ran it. */
const variantOf = (sha256: string, { filename, isOwn, format }: WorkbookFacts): string =>
  JSON.stringify([sha256, format, ...(format.name === 'xlsx' ? [filename, isOwn] : [])]);

const NOT_SHOWN = 'The statement is shown to the account that ran it.';

function workbookOf({ filename, isOwn, header, format, overflowBytesMax }: WorkbookFacts): Bundle {
  const { sql = '', parameters, timeZone } = header;
  const about = isOwn ? sql : NOT_SHOWN;
  return bundleWorkbook([{ name: filename, sql: '', about }], {
    overflowBytesMax,
    dateZone: format.dates === 'marked' ? timeZone : undefined,
    parametersText: isOwn ? parameters : '',
  });
}
