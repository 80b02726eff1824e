import { join } from 'node:path';
import { ProblemError } from '@sluice/contract';
import type { CatalogueStore, TableKey } from '@sluice/store/catalog';
import { LineFile } from './line-file.ts';

/** Names of the files in the folder that `CatalogueFiles` of the engine describes. */
export const LINE_FILES = ['catalogs', 'schemas', 'tables', 'columns'] as const;

/** Two million columns with short descriptions. */
const BYTES_MAX = 512 * 1024 * 1024;

interface WriteOptions {
  readonly tenantId: string;
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Default: BYTES_MAX. */
  readonly bytesMax?: number;
}

/**
 * Writes the mirrored catalog of a tenant to files, a page of tables at a time. Throws `resource_limit` if it is too large, errors of the file
 * system and of the database, and the reason of the signal.
 */
export async function writeCatalogueLines(
  store: CatalogueStore,
  { tenantId, folder, signal, bytesMax = BYTES_MAX }: WriteOptions,
): Promise<void> {
  using catalogs = new LineFile(join(folder, 'catalogs'));
  using schemas = new LineFile(join(folder, 'schemas'));
  using tables = new LineFile(join(folder, 'tables'));
  using columns = new LineFile(join(folder, 'columns'));
  const files = [catalogs, schemas, tables, columns];
  await store.catalogs(tenantId, (lines) => catalogs.add(lines));
  await store.schemas(tenantId, (lines) => schemas.add(lines));
  const lines = { onTable: (line: string) => tables.add(line), onColumns: (some: string) => columns.add(some) };
  let after: TableKey | undefined;
  do {
    signal.throwIfAborted();
    after = await store.tables(tenantId, after, lines);
    if (files.reduce((sum, { bytes }) => sum + bytes, 0) > bytesMax) throw tooLarge(bytesMax);
  } while (after !== undefined);
  for (const file of files) file.end();
}

const tooLarge = (bytesMax: number): ProblemError =>
  new ProblemError(
    'resource_limit',
    `The mirrored catalog is larger than ${bytesMax} bytes, so statements about it are not answered. Ask for single tables with GET /catalog.`,
  );
