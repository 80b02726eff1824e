import { type BrotliCompress, constants, createBrotliCompress, createGzip, type Gzip } from 'node:zlib';
import { downloadFormats } from '@sluice/contract';

/** Supported content codings (RFC 9110 section 8.4.1). */
export type ContentCoding = 'gzip' | 'br';

/** Level 1 takes a third of the time of the default level for 10% more bytes on rows of text. */
const GZIP_LEVEL = 1;
const BROTLI_QUALITY = 4;

const TEXT_FORMATS: ReadonlySet<string> = new Set(
  downloadFormats.flatMap(([, { assembly, mediaType }]) => (assembly === 'text' ? [mediaType] : [])),
);

/** Returns whether a media type compresses well. Archives and columnar files are already compressed. */
export function isCompressible(mediaType: string): boolean {
  const [essence = ''] = mediaType.split(';');
  return essence.startsWith('text/') || TEXT_FORMATS.has(essence.trim());
}

/**
 * Chooses the coding by Accept-Encoding (RFC 9110 section 12.5.3). Returns undefined if neither is accepted or `identity` is preferred.
 * @param preferred - the coding for a client that accepts both alike. Default: gzip, because it is faster.
 */
export function chooseCoding(
  acceptEncoding: string | undefined,
  preferred: ContentCoding = 'gzip',
): ContentCoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const weights = new Map(acceptEncoding.split(',').map(weightOf));
  const weight = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best = Math.max(weight('gzip'), weight('br'));
  if (best === 0 || (weights.get('identity') ?? 0) > best) return undefined;
  if (weight('gzip') === weight('br')) return preferred;
  return weight('gzip') === best ? 'gzip' : 'br';
}

function weightOf(item: string): [string, number] {
  const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const weight = q === undefined ? 1 : Number(q);
  return [name === 'x-gzip' ? 'gzip' : name, Number.isFinite(weight) ? weight : 0];
}

export const createCompressor = (coding: ContentCoding): Gzip | BrotliCompress =>
  coding === 'gzip'
    ? createGzip({ level: GZIP_LEVEL })
    : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } });
