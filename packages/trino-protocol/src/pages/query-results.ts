import type { Column } from '@sluice/contract';
import type { ClientSession } from '../client-session.ts';
import type { PresentedError } from '../errors/present-error.ts';
import type { StatementStats } from './statement-stats.ts';
import { presentColumn } from './type-signature.ts';

/** A page of a statement (`QueryResults` of Trino's protocol), apart from its rows. */
export interface QueryResults {
  readonly id: string;
  /** Address at which a person sees the statement. */
  readonly infoUri: string;
  /** Undefined: this is the last page, and only that ends a result. */
  readonly nextUri: string | undefined;
  /** Undefined: not known yet. Empty: the statement has no result. */
  readonly columns: readonly Column[] | undefined;
  readonly stats: StatementStats;
  readonly error?: PresentedError | undefined;
  /** Shown by clients for a statement without rows: `SET SESSION`. */
  readonly updateType?: string | undefined;
}

const OPEN_ROWS = ',"data":[';

/**
 * Returns the bytes of a page. The rows are put in as they are: lists of values with commas between them, which are not parsed. A page
 * without rows has no `data`.
 */
export function presentPage(
  results: QueryResults,
  rows: readonly Uint8Array[],
  capabilities: ClientSession['capabilities'],
): Uint8Array[] {
  const { id, infoUri, nextUri, columns, stats, error, updateType } = results;
  const presented = columns?.map((column) => presentColumn(column, capabilities));
  const head = JSON.stringify({ id, infoUri, nextUri, columns: presented });
  const tail = JSON.stringify({ stats, error, warnings: [], updateType });
  if (rows.length === 0) return [Buffer.from(`${head.slice(0, -1)},${tail.slice(1)}`)];
  return [Buffer.from(`${head.slice(0, -1)}${OPEN_ROWS}`), ...rows, Buffer.from(`],${tail.slice(1)}`)];
}
