import type { Reader } from '../model/route.ts';

/** A part of a file in bytes, `end` exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** `bytes=` with one range: `5-9`, `5-` or `-5`. A list may have empty elements (RFC 9110 section 5.6.1.2). */
const ONE_RANGE = /^bytes=[\s,]*(?:(\d+)-(\d*)|-(\d+))[\s,]*$/i;

/**
 * Returns the part of a file that a GET asks for (RFC 9110 section 14.2): undefined is the whole file, and `unsatisfiable` a range that begins
 * after its end. The header is ignored, which the RFC allows, if it has several ranges, another unit or a syntax error, and if If-Range does not
 * name the entity tag of this file: a weak tag or a date never does (section 13.1.5).
 */
export function requestedRange(
  headers: Reader,
  { bytes, entityTag }: { readonly bytes: number; readonly entityTag: string },
): ByteRange | 'unsatisfiable' | undefined {
  const ifRange = headers.get('if-range')?.trim();
  if (ifRange !== undefined && ifRange !== entityTag) return undefined;
  const found = ONE_RANGE.exec(headers.get('range')?.trim() ?? '');
  if (found === null) return undefined;
  const [, first, last, suffix] = found;
  return first === undefined ? lastBytes(Number(suffix), bytes) : fromByte(Number(first), last ?? '', bytes);
}

function lastBytes(count: number, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  if (count === 0) return 'unsatisfiable';
  if (bytes === 0) return undefined; // Content-Range cannot name a part of nothing
  return { start: Math.max(0, bytes - count), end: bytes };
}

function fromByte(first: number, last: string, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const lastByte = last === '' ? bytes - 1 : Number(last);
  if (last !== '' && lastByte < first) return undefined;
  if (first >= bytes) return 'unsatisfiable';
  return { start: first, end: Math.min(lastByte + 1, bytes) };
}

/** Returns Content-Range of a part (RFC 9110 section 14.4). */
export const contentRange = ({ start, end }: ByteRange, bytes: number): string => `bytes ${start}-${end - 1}/${bytes}`;

/** Returns Content-Range of a 416. */
export const unsatisfiedRange = (bytes: number): string => `bytes */${bytes}`;
