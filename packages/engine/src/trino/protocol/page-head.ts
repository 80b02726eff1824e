import { ResultPage } from './result-page.ts';

/** A longer head, with thousands of columns, is not awaited. */
const HEAD_BYTES_MAX = 256 * 1024;

/**
 * Returns the address of the next page from the part of a page of rows that has arrived. Undefined while it is not known, for a
 * page without rows, and for one whose members are not in Trino's usual order.
 */
export function nextUriInHead(parts: readonly Buffer[]): string | undefined {
  const bytes = parts.reduce((sum, part) => sum + part.byteLength, 0);
  if (bytes > HEAD_BYTES_MAX) return undefined;
  try {
    const page = new ResultPage(Buffer.concat(parts, bytes));
    return page.dataAt === undefined ? undefined : page.nextUri;
  } catch {
    return undefined; // it ends in the middle of its head
  }
}
