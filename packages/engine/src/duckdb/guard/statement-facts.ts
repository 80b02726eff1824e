import type { TableName } from '../../table-name.ts';
import type { NameDirectory } from './name-directory.ts';
import { isRepeatable } from './repeatable.ts';

type Tree = Readonly<Record<string, unknown>>;

/** Properties of a statement's tree that decide how it runs best. They do not decide what may run, or what it returns. */
export interface StatementFacts {
  /** Takes rows in any order, though maybe not all: no ORDER BY, no OFFSET. */
  readonly isUnordered: boolean;
  /** The LIMIT of the whole statement, if it is a number. */
  readonly rowLimit: number | undefined;
  /** Reads one table from start to end, row by row: no join, group, order, window or subquery. */
  readonly isScan: boolean;
  /**
   * A scan whose prepared statement may run again. Other plans are not kept: they hold memory after a run (17 MB for a DISTINCT of a
   * million rows, 72 MB for a correlated subquery, measured), and a view may read files that are listed when it is planned.
   */
  readonly isRepeatable: boolean;
}

export function statementFacts(node: Tree, names: NameDirectory): StatementFacts {
  const modifiers = (node['modifiers'] ?? []) as readonly Tree[];
  const limits = modifiers.filter(({ type }) => type === 'LIMIT_MODIFIER');
  const isOneScan = limits.length === modifiers.length && isScan(node, names);
  return {
    isUnordered: modifiers.every(({ type, offset }) => type !== 'ORDER_MODIFIER' && (offset ?? null) === null),
    rowLimit: limits.map(limitOf).find((limit) => limit !== undefined),
    isScan: isOneScan,
    isRepeatable:
      isOneScan && names.hasOnlyStoredColumns(tableOf(node['from_table'] as Tree)) && isRepeatable(node, names),
  };
}

function limitOf({ limit }: Tree): number | undefined {
  const { class: kind, value } = (limit ?? {}) as { class?: string; value?: { value?: unknown } };
  return kind === 'CONSTANT' && typeof value?.value === 'number' ? value.value : undefined;
}

function isScan(node: Tree, names: NameDirectory): boolean {
  if (node['type'] !== 'SELECT_NODE') return false;
  const isPlain = ['having', 'sample', 'qualify'].every((clause) => node[clause] === null);
  const groups = node['group_expressions'] as readonly unknown[];
  const { map } = node['cte_map'] as { map: readonly unknown[] };
  if (!isPlain || groups.length > 0 || map.length > 0) return false;
  return isTable(node['from_table'] as Tree, names) && isRowByRow([node['select_list'], node['where_clause']], names);
}

const isTable = (ref: Tree, names: NameDirectory): boolean =>
  ref['type'] === 'BASE_TABLE' && ref['sample'] === null && names.isStoredTable(tableOf(ref));

const tableOf = (ref: Tree): TableName => ({
  catalog: String(ref['catalog_name']),
  schema: String(ref['schema_name']),
  name: String(ref['table_name']),
});

function isRowByRow(value: unknown, names: NameDirectory): boolean {
  if (Array.isArray(value)) return value.every((item) => isRowByRow(item, names));
  if (typeof value !== 'object' || value === null) return true;
  const tree = value as Tree;
  if (tree['class'] === 'SUBQUERY' || tree['class'] === 'WINDOW') return false;
  if (tree['class'] === 'FUNCTION' && !names.isScalarFunction(String(tree['function_name']))) return false;
  return Object.values(tree).every((child) => isRowByRow(child, names));
}
