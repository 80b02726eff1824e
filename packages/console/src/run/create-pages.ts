import type { Client } from '@sluice/client';
import type { ResultColumn } from '../result/result-view.ts';
import { failureOf } from './failure-of.ts';
import { PageCache } from './page-cache.ts';
import { readRows } from './read-rows.ts';

/** Rows of a page, at most. */
const PAGE_ROWS_MAX = 1000;
/** Size of a page, as far as the rows of a result have one size. */
const PAGE_BYTES = 512 * 1024;

interface PagesInput {
  readonly queryId: string;
  readonly columns: readonly ResultColumn[];
  /** Rows of the whole result. */
  readonly rows: number;
  /** Size of the whole result. 0: it is not known. */
  readonly bytes: number;
  readonly onChange: () => void;
}

/** Returns how many rows to read at once so that they have about this size. */
export function rowsPerRead(
  { rows, bytes }: Pick<PagesInput, 'rows' | 'bytes'>,
  { readBytes, max }: { readonly readBytes: number; readonly max: number },
): number {
  const ofSize = bytes === 0 ? max : Math.floor((readBytes * rows) / bytes);
  return Math.max(1, Math.min(max, ofSize));
}

/** Creates the pages of a kept result, which are read when they are shown. */
export const createPages = (client: Client, { queryId, columns, rows, bytes, onChange }: PagesInput): PageCache =>
  new PageCache({
    columns,
    rows,
    pageRows: rowsPerRead({ rows, bytes }, { readBytes: PAGE_BYTES, max: PAGE_ROWS_MAX }),
    read: (from, size) => readRows(client, { queryId, columns, from, size }),
    describe: (error) => failureOf(error).message,
    onChange,
  });
