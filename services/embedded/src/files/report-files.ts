import type { CatalogFile } from '@sluice/contract';
import { quoteName } from '../sql-text.ts';
import type { ArrangedView, ReadDataFile } from './arrange-views.ts';
import type { DataFile, RejectedFile } from './data-file.ts';

/** Result of a look at the folder. */
export interface FilesRefresh {
  /** All files, sorted by path. */
  readonly files: readonly CatalogFile[];
  readonly viewCount: number;
  /** The views or what is reported of the files changed. */
  readonly isChanged: boolean;
}

interface ReportedFiles {
  readonly read: readonly ReadDataFile[];
  readonly rejected: readonly RejectedFile[];
  /** Views of the database. */
  readonly views: readonly ArrangedView[];
  /** Problems of files by their path. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Returns what became of each file, sorted by path. */
export function reportFiles({ read, rejected, views, problems }: ReportedFiles): readonly CatalogFile[] {
  const names = new Map(
    views.flatMap((view) => view.files.map((file) => [file.relativePath, viewName(view)] as const)),
  );
  const files = read.map(({ file, outcome }): CatalogFile => {
    const view = names.get(file.relativePath) ?? null;
    const problem = problems.get(file.relativePath) ?? null;
    const reading = 'reading' in outcome ? outcome.reading : undefined;
    return {
      ...identityOf(file),
      state: view === null ? 'problem' : 'served',
      view,
      rows: reading?.rows ?? null,
      columns: reading?.columns.length ?? null,
      format: file.format,
      compression: file.compression,
      separator: reading?.csv?.separator ?? null,
      header: reading?.csv?.hasHeader ?? null,
      encoding: reading === undefined || file.format === 'parquet' ? null : 'UTF-8',
      problem: view === null ? (problem ?? 'is not served.') : null,
    };
  });
  const others = rejected.map(
    (file): CatalogFile => ({
      ...identityOf(file),
      ...{ state: 'problem', view: null, rows: null, columns: null, format: null, compression: null },
      ...{ separator: null, header: null, encoding: null, problem: file.problem },
    }),
  );
  return [...files, ...others].sort((one, other) => (one.path < other.path ? -1 : 1));
}

const identityOf = ({ relativePath, bytes, modifiedMs }: DataFile | RejectedFile) => ({
  path: relativePath,
  bytes,
  modified_ts: Math.floor(modifiedMs),
});

const PLAIN = /^[a-z_][a-z0-9_]*$/;

const viewName = ({ schema, name }: ArrangedView): string =>
  ['files', schema, name].map((part) => (PLAIN.test(part) ? part : quoteName(part))).join('.');

/** Problems that a summary has. `GET /catalog/files` has all. */
const PROBLEMS_MAX = 10;

/** Returns the lines that a start prints about the files: how many are served, and at most ten problems. */
export function summaryLines({ files, viewCount }: FilesRefresh, dataFolder: string): readonly string[] {
  const problems = files.filter(({ problem }) => problem !== null);
  const served = counted(files.length - problems.length, 'file');
  const first = `Serving ${served} of ${dataFolder} as ${counted(viewCount, 'view')} of the catalog files`;
  if (problems.length === 0) return [`${first}.`];
  const more = problems.length - PROBLEMS_MAX;
  return [
    `${first}. ${counted(problems.length, 'file')} ${problems.length === 1 ? 'has a problem' : 'have problems'}:`,
    ...problems.slice(0, PROBLEMS_MAX).map(({ path, problem }) => `  ${path} ${problem}`),
    ...(more > 0 ? [`  and ${more} more: GET /catalog/files lists them.`] : []),
  ];
}

const counted = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
