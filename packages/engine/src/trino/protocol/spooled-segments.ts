import { membersOf } from './error-fields.ts';
import { BYTE, unreadable } from './json-scan.ts';
import { parseJson } from './result-page.ts';

/** Rows of the spooled protocol: in the page itself, or to be fetched. */
export type Segment = InlineSegment | StoredSegment;

interface SegmentRows {
  /** Rows of the result before this segment, and in it, as Trino counts them. */
  readonly rowOffset: number | undefined;
  readonly rowsCount: number | undefined;
  /** Memory that it takes; undefined if Trino does not say. */
  readonly bytes: number | undefined;
}

interface InlineSegment extends SegmentRows {
  readonly kind: 'inline';
  readonly data: Buffer;
}

export interface StoredSegment extends SegmentRows {
  readonly kind: 'stored';
  readonly uri: string;
  /** Requested once the segment has arrived, so that the store can drop it. */
  readonly ackUri: string | undefined;
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

export const isSpooled = (bytes: Uint8Array, dataAt: number): boolean => bytes[dataAt] === BYTE.openObject;

/** Returns the segments in a page's `data`, in order. */
export function readSegments(data: Buffer): readonly Segment[] {
  const { encoding, segments } = membersOf(parseJson(data.toString('utf8')));
  if (encoding !== 'json') throw unreadable('its segments have an encoding that was not requested');
  if (!Array.isArray(segments)) throw unreadable('its segments are not a list');
  return segments.map(readSegment);
}

function readSegment(json: unknown): Segment {
  const { type, data, uri, ackUri, headers, metadata } = membersOf(json);
  const { rowOffset, rowsCount, segmentSize } = membersOf(metadata);
  const rows = { rowOffset: countOf(rowOffset), rowsCount: countOf(rowsCount) };
  if (type === 'inline' && typeof data === 'string') {
    return { kind: 'inline', data: Buffer.from(data, 'base64'), ...rows, bytes: 0 };
  }
  if (type !== 'spooled' || typeof uri !== 'string') throw unreadable('a segment has an unknown kind');
  return {
    kind: 'stored',
    uri,
    ackUri: typeof ackUri === 'string' ? ackUri : undefined,
    headers: readHeaders(headers),
    ...rows,
    bytes: countOf(segmentSize),
  };
}

function countOf(json: unknown): number | undefined {
  if (json === undefined || json === null) return undefined;
  if (!Number.isSafeInteger(json) || (json as number) < 0) throw unreadable('a count of its segments is not a number');
  return json as number;
}

function readHeaders(json: unknown): StoredSegment['headers'] {
  const headers = membersOf(json);
  const isList = (values: unknown): boolean =>
    Array.isArray(values) && values.every((value) => typeof value === 'string');
  if (!Object.values(headers).every(isList)) throw unreadable('the headers of a segment are not lists of strings');
  return headers as StoredSegment['headers'];
}
