import { invalidRequest, SEARCH_PAGE_BYTES_MAX } from '@sluice/contract';

/** Bytes of the text of a record, and of the records before it on the page. */
export interface RecordSize {
  readonly record_bytes: number;
  /** int8 arrives as text. */
  readonly bytes_before: string;
}

/**
 * Wraps a select with the column `place`, so that PostgreSQL sends no record behind the limit. Without `offset 0` it would write each record
 * as text twice.
 */
export const limitPageBytes = (select: string): string => `
  select * from (
    select measured.*, sum(record_bytes) over (order by place rows unbounded preceding) - record_bytes as bytes_before
    from (select page.*, octet_length(page::text) as record_bytes from (${select}) page offset 0) measured
  ) sized
  where bytes_before < ${SEARCH_PAGE_BYTES_MAX} order by place`;

const isWithin = ({ record_bytes: bytes, bytes_before: before }: RecordSize): boolean =>
  Number(before) + bytes < SEARCH_PAGE_BYTES_MAX;

/**
 * Throws `invalid_request` when a page of more than one record exceeds the limit. A page with the records within the limit would look like the
 * last one to a client that counts them.
 */
export function checkPageBytes(records: readonly RecordSize[]): void {
  if (records.length <= 1 || records.every(isWithin)) return;
  const size = Math.max(1, records.filter(isWithin).length);
  const message = `must be at most ${size} for these records, because a page has at most ${SEARCH_PAGE_BYTES_MAX} bytes`;
  throw invalidRequest({ path: 'body.size', message });
}
