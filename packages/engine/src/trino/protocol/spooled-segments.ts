import { BYTE, unreadable } from './json-scan.ts';
import { parseJson } from './result-page.ts';

/** A run of rows of the spooled protocol: in the page itself, or to be fetched. */
export type Segment = InlineSegment | StoredSegment;

interface SegmentRows {
  /** Rows of the result before this segment, and in it, as Trino counts them. */
  readonly rowOffset: number | undefined;
  readonly rowsCount: number | undefined;
  /** What it takes to hold it. */
  readonly bytes: number;
}

interface InlineSegment extends SegmentRows {
  readonly kind: 'inline';
  readonly data: Buffer;
}

export interface StoredSegment extends SegmentRows {
  readonly kind: 'stored';
  readonly uri: string;
  /** Asked for once the segment is here, so that the store can drop it. */
  readonly ackUri: string | undefined;
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

interface ToldSegment {
  readonly type?: unknown;
  readonly data?: unknown;
  readonly uri?: unknown;
  readonly ackUri?: unknown;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly metadata?: { readonly rowOffset?: number; readonly rowsCount?: number; readonly segmentSize?: number };
}

export const isSpooled = (bytes: Uint8Array, dataAt: number): boolean => bytes[dataAt] === BYTE.openObject;

/** The segments that a page's `data` lists, in order. */
export function readSegments(data: Buffer): readonly Segment[] {
  const told = parseJson(data.toString('utf8')) as { readonly encoding?: unknown; readonly segments?: unknown };
  if (told.encoding !== 'json') throw unreadable('its segments are encoded in a way that was not asked for');
  if (!Array.isArray(told.segments)) throw unreadable('its segments are no list');
  return (told.segments as readonly ToldSegment[]).map(readSegment);
}

function readSegment(told: ToldSegment): Segment {
  const { rowOffset, rowsCount, segmentSize = 0 } = told.metadata ?? {};
  if (told.type === 'inline' && typeof told.data === 'string') {
    const data = Buffer.from(told.data, 'base64');
    return { kind: 'inline', data, rowOffset, rowsCount, bytes: 0 };
  }
  if (told.type !== 'spooled' || typeof told.uri !== 'string')
    throw unreadable('a segment of it is of an unknown kind');
  const ackUri = typeof told.ackUri === 'string' ? told.ackUri : undefined;
  return {
    kind: 'stored',
    uri: told.uri,
    ackUri,
    headers: told.headers ?? {},
    rowOffset,
    rowsCount,
    bytes: segmentSize,
  };
}
