import { type BrotliCompress, constants, createBrotliCompress, createGzip, type Gzip } from 'node:zlib';

/** Codings of RFC 9110 section 8.4.1 that bodies are sent in. */
export type ContentCoding = 'gzip' | 'br';

/** Level 1 costs a third of the default's time for a tenth more bytes on rows of text, and a stream must keep up. */
const GZIP_LEVEL = 1;
const BROTLI_QUALITY = 4;

/** What compresses well; archives and columnar files are compressed in themselves. */
const COMPRESSIBLE = /^(text\/|application\/(json|x-ndjson)\b)/;

export const isCompressible = (mediaType: string): boolean => COMPRESSIBLE.test(mediaType);

/**
 * The coding that Accept-Encoding asks for (RFC 9110 section 12.5.3): gzip before brotli where both are welcome, since it is the
 * faster; undefined where neither is, and where `identity` is preferred to both.
 */
export function chooseCoding(acceptEncoding: string | undefined): ContentCoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const weights = new Map(acceptEncoding.split(',').map(weightOf));
  const weight = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const best = Math.max(weight('gzip'), weight('br'));
  if (best === 0 || (weights.get('identity') ?? 0) > best) return undefined;
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
