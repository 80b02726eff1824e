import { ResultPage } from './result-page.ts';

/** A head that is longer, with thousands of columns, is not waited for. */
const HEAD_BYTES_MAX = 256 * 1024;

/**
 * Where a page of rows says that the next one is, by what came of it so far. Undefined while that is not known, for a page without
 * rows, and for one whose members do not stand in Trino's own order.
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
