import type { NamedEntries } from '@sluice/store/catalog';
import type { Finding } from '../report.ts';
import { median } from '../statistics.ts';
import {
  type BrowseDatabase,
  type BrowseDatabaseOptions,
  CATALOG,
  LARGE_SCHEMA,
  openBrowseDatabase,
} from './browse-database.ts';

interface BrowseCatalogOptions extends BrowseDatabaseOptions {
  readonly rounds: number;
  readonly print: (line: string) => void;
}

const PAGE_MAX = 1000;
/** A connection plans a statement for its first five executions; hosts keep their connections. */
const ROUNDS_MIN = 12;
/** Limit of any page of the largest size. */
const PAGE_MS = 20;

type Page = NamedEntries<{ readonly name: string }> | undefined;

/** Returns what is measured, by name: the first, a middle and the last page of lists, and one table. */
function readsOf(
  { browse, tenantId }: BrowseDatabase,
  tables: number,
): Readonly<Record<string, () => Promise<unknown>>> {
  const large = { catalog: CATALOG, schema: LARGE_SCHEMA };
  const inLarge = (after: string | undefined, size: number): Promise<Page> =>
    browse.listTables(tenantId, large, { after, size });
  return {
    catalogs: () => browse.listCatalogs(tenantId, { size: PAGE_MAX }),
    '1,000 schemas': () => browse.listSchemas(tenantId, CATALOG, { size: PAGE_MAX }),
    'the first table of a schema': () => inLarge(undefined, 1),
    'the first 1,000 tables': () => inLarge(undefined, PAGE_MAX),
    '1,000 tables in the middle': () => inLarge('table_5', PAGE_MAX),
    'the last tables': () => inLarge('table_99', PAGE_MAX),
    '1,000 tables by prefix': () => browse.listTables(tenantId, large, { prefix: 'table_2', size: PAGE_MAX }),
    'a table with its columns': () => browse.findTable(tenantId, { ...large, table: `table_${tables - 1}` }),
  };
}

/** Measures the time of pages in the store, over a catalog of this size. */
export async function browseCatalog(options: BrowseCatalogOptions): Promise<readonly Finding[]> {
  const { tables, columns, rounds, print } = options;
  print(`Creating ${tables} tables of ${columns} columns ...`);
  await using database = await openBrowseDatabase({ tables, columns });
  const findings: Finding[] = [];
  for (const [name, read] of Object.entries(readsOf(database, tables))) {
    const times: number[] = [];
    for (let round = 0; round < Math.max(rounds, ROUNDS_MIN); round += 1) {
      const startedMs = performance.now();
      if ((await read()) === undefined) throw new Error(`The catalog has not: ${name}`);
      times.push(performance.now() - startedMs);
    }
    findings.push({
      name: `catalog: ${name}`,
      measured: median(times),
      unit: 'ms',
      floor: PAGE_MS,
      goal: PAGE_MS / 2,
      better: 'lower',
      detail: `at most ${Math.max(...times).toFixed(1)} ms, the first time ${times[0]?.toFixed(1)} ms`,
    });
  }
  return findings;
}
