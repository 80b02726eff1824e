import { type CatalogFile, formatTableName, type MarketplaceFreshness, parseTableName } from '@sluice/contract';
import type { ReadTables } from '@sluice/store/marketplace';

/** Name of the catalog with the views of SLUICE_DATA_DIR. */
const FILES_CATALOG = 'files';

/** Returns the time of the last change of the files of each view, by its full name. */
function changesByView(files: readonly CatalogFile[]): ReadonlyMap<string, number> {
  const changes = new Map<string, number>();
  for (const { view, modified_ts: changed } of files) {
    const name = view === null ? undefined : parseTableName(view);
    if (name === undefined) continue;
    const key = formatTableName(name);
    changes.set(key, Math.max(changed, changes.get(key) ?? 0));
  }
  return changes;
}

/** Returns when the data of tables last changed, or null unless all of them are views of files. */
function dataChangedTs(names: readonly string[], files: readonly CatalogFile[]): number | null {
  const changes = changesByView(files);
  const times = names.map((name) => (parseTableName(name)?.catalog === FILES_CATALOG ? changes.get(name) : undefined));
  const known = times.filter((time) => time !== undefined);
  return known.length === 0 || known.length < times.length ? null : Math.max(...known);
}

/**
 * Returns what is known about the age of the data of an item.
 * @param files - files of the tenant's SLUICE_DATA_DIR. Undefined: it has none
 */
export function presentFreshness(
  { names, known, missing, seenTs }: ReadTables,
  files: readonly CatalogFile[] | undefined,
): MarketplaceFreshness {
  const isSeen = names !== null && names.length > 0 && known === names.length;
  return {
    tables_seen_ts: isSeen ? seenTs : null,
    missing_table_count: missing,
    data_changed_ts: names === null ? null : dataChangedTs(names, files ?? []),
  };
}
