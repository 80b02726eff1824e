/** View without its name: the folder that gives its schema, and the name of its file or of the folder that it reads. */
export interface Unnamed {
  /** Folder with `/`; empty: the folder of all files. */
  readonly folder: string;
  readonly stem: string;
  /** Such as `csv.gz`. */
  readonly extension: string;
}

export interface ViewName {
  readonly schema: string;
  readonly name: string;
}

const ROOT_SCHEMA = 'main';

/**
 * Names each view `<subfolder or main>.<file name without extension>`; nested folders are joined with `_`. Views of a
 * folder whose names would be equal, ignoring case, all get their extension (`sales_csv`, `sales_json`), so that no name depends
 * on the order of the files. Names that are still equal are numbered.
 */
export function nameViews(views: readonly Unnamed[]): ViewName[] {
  const counts = new Map<string, number>();
  for (const view of views) increment(counts, keyOf(schemaOf(view), view.stem));
  const taken = new Map<string, number>();
  return views.map((view) => {
    const schema = schemaOf(view);
    const alone = counts.get(keyOf(schema, view.stem)) === 1;
    const wanted = alone ? view.stem : `${view.stem}_${view.extension.replaceAll('.', '_')}`;
    const number = increment(taken, keyOf(schema, wanted));
    return { schema, name: number === 1 ? wanted : `${wanted}_${number}` };
  });
}

const schemaOf = ({ folder }: Unnamed): string => (folder === '' ? ROOT_SCHEMA : folder.replaceAll('/', '_'));

/** DuckDB compares names case-insensitively. */
const keyOf = (schema: string, view: string): string => JSON.stringify([schema.toLowerCase(), view.toLowerCase()]);

const increment = (counts: Map<string, number>, key: string): number => {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
};
