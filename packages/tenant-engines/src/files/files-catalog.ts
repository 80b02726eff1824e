import { statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { CatalogFile, Tenant } from '@sluice/contract';

/**
 * Returns what the files of a tenant's SLUICE_DATA_DIR became, sorted by path. Undefined: the tenant has no such folder. Empty: the catalog
 * has no report. The caller must not change the list.
 */
export type FilesReportReader = (tenant: Tenant) => Promise<readonly CatalogFile[] | undefined>;

interface FilesSettings {
  readonly filesCatalog: string | undefined;
  readonly filesReport: string | undefined;
  readonly tenantNameDefault: string | undefined;
}

/** Returns whether the catalog `files` belongs to the tenant. */
export const ownsFiles = (
  { filesCatalog, tenantNameDefault }: Omit<FilesSettings, 'filesReport'>,
  { name }: Pick<Tenant, 'name'>,
): boolean => filesCatalog !== undefined && name === tenantNameDefault;

/**
 * Returns the version of the database with the views of files. A new version is written beside it and renamed, so it is another file;
 * an engine that has opened the old one continues to read that.
 */
export function filesRevision(path: string): string {
  try {
    return stampOf(statSync(path));
  } catch {
    return 'none'; // the worker that cannot open it says so
  }
}

/** Creates the function that reads the report. A report is parsed once, because that of 10,000 files has 4 MB. */
export function createFilesReportReader(settings: FilesSettings): FilesReportReader {
  let last: { readonly stamp: string; readonly files: readonly CatalogFile[] } | undefined;
  return async (tenant) => {
    if (!ownsFiles(settings, tenant)) return undefined;
    const path = settings.filesReport;
    if (path === undefined) return [];
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) return [];
    const stamp = stampOf(found);
    if (last?.stamp !== stamp) last = { stamp, files: JSON.parse(await readFile(path, 'utf8')) as CatalogFile[] };
    return last.files;
  };
}

const stampOf = ({ ino, size, mtimeMs }: { ino: number; size: number; mtimeMs: number }): string =>
  [ino, size, mtimeMs].join(' ');
