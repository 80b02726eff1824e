import { basename, dirname, extname, sep } from 'node:path';
import type { DataFile } from './find-data-files.ts';

export interface NamedFile {
  readonly schema: string;
  readonly view: string;
  readonly file: DataFile;
}

const ROOT_SCHEMA = 'main';

/**
 * Names the view of each file `<subfolder or main>.<file name without extension>`; nested folders are joined with `_`. Files of a
 * folder whose names would be equal, ignoring case, all get their extension (`sales_csv`, `sales_json`), so that no name depends
 * on the order of the files. Names that are still equal are numbered.
 */
export function nameViews(files: readonly DataFile[]): NamedFile[] {
  const counts = new Map<string, number>();
  for (const file of files) increment(counts, keyOf(schemaOf(file), stemOf(file)));
  const taken = new Map<string, number>();
  return files.map((file) => {
    const schema = schemaOf(file);
    const alone = counts.get(keyOf(schema, stemOf(file))) === 1;
    const wanted = alone ? stemOf(file) : `${stemOf(file)}_${file.extension.slice(1)}`;
    const number = increment(taken, keyOf(schema, wanted));
    return { schema, view: number === 1 ? wanted : `${wanted}_${number}`, file };
  });
}

const schemaOf = (file: DataFile): string => {
  const folder = dirname(file.relativePath);
  return folder === '.' ? ROOT_SCHEMA : folder.replaceAll(sep, '_');
};

const stemOf = (file: DataFile): string => basename(file.relativePath, extname(file.relativePath));

/** DuckDB compares names case-insensitively. */
const keyOf = (schema: string, view: string): string => JSON.stringify([schema.toLowerCase(), view.toLowerCase()]);

const increment = (counts: Map<string, number>, key: string): number => {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
};
