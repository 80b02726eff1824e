import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { DOWNLOAD_FORMATS, type DownloadFormat, type DownloadInfo, type ResultFormatOptions } from '@sluice/client';
import { partFactsPathOf } from '@sluice/client/node';
import type { Connection } from '../context.ts';
import { CommandError } from '../errors.ts';

/** Kept result in a format, with its options. */
export interface ResultFileInput {
  readonly queryId: string;
  readonly format: DownloadFormat;
  readonly options: ResultFormatOptions;
}

/** Content of the file beside a part file: what is needed to continue it. */
export interface PartFacts {
  readonly version: 1;
  /** Name of the file, without its folder. */
  readonly file: string;
  readonly query_id: string;
  readonly tenant: string;
  readonly stream_url: string;
  readonly format: DownloadFormat;
  readonly options: ResultFormatOptions;
  /** ETag of the file that the bytes are of; null for a direct download, which has none. */
  readonly etag: string | null;
}

type PartOrigin = Pick<Connection, 'tenant' | 'streamUrl'>;

/** Returns the text of the facts of a part file. */
export function partFactsText(
  path: string,
  { queryId, etag }: DownloadInfo,
  { format, options }: Omit<ResultFileInput, 'queryId'>,
  { tenant, streamUrl }: PartOrigin,
): string {
  const facts: PartFacts = {
    version: 1,
    file: basename(path),
    query_id: queryId,
    tenant,
    stream_url: streamUrl,
    format,
    options,
    etag: etag ?? null,
  };
  return `${JSON.stringify(facts, undefined, 2)}\n`;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPartFacts = (value: unknown): value is PartFacts =>
  isObject(value) &&
  value['version'] === 1 &&
  ['query_id', 'tenant', 'stream_url'].every((name) => typeof value[name] === 'string') &&
  Object.hasOwn(DOWNLOAD_FORMATS, String(value['format'])) &&
  isObject(value['options']) &&
  (value['etag'] === null || typeof value['etag'] === 'string');

function parseFacts(text: string): PartFacts | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPartFacts(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads what is needed to continue the part file of a download.
 * @throws CommandError if there is none, or it is not readable
 */
export async function readPartFacts(path: string): Promise<PartFacts> {
  const factsPath = partFactsPathOf(path);
  const text = await readFile(factsPath, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const what =
      cause.code === 'ENOENT'
        ? `There is no interrupted download of a kept result to ${path}: ${factsPath} does not exist.`
        : `${factsPath} could not be read: ${cause.message}.`;
    throw new CommandError(`${what} Run the download without --resume.`, { cause });
  });
  const facts = parseFacts(text);
  if (facts === undefined)
    throw new CommandError(`${factsPath} is damaged. Remove it, and run the download without --resume.`);
  return facts;
}

/**
 * Checks that a part file was begun at the same host and tenant.
 * @throws CommandError
 */
export function requireSameOrigin(path: string, facts: PartFacts, { tenant, streamUrl }: PartOrigin): void {
  if (facts.tenant === tenant && facts.stream_url === streamUrl) return;
  throw new CommandError(
    `${path}.part was begun at ${facts.stream_url} in the tenant ${facts.tenant}. Choose that login with --profile, or run the download without --resume.`,
  );
}
