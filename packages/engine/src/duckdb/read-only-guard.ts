import { ProblemError } from '@sluice/contract';
import {
  ALLOWED_FUNCTIONS,
  ALLOWED_INFORMATION_SCHEMA,
  ALLOWED_SHOW,
  ALLOWED_TABLE_FUNCTIONS,
} from './allowed-functions.ts';

/** The tables and views that a tenant's statements may read. Names are compared as DuckDB does, without case. */
export interface TableDirectory {
  /** Whether this is one of them; empty `catalog` or `schema`: as the default of the session completes it. */
  has(table: TableName): boolean;
}

export interface TableName {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
}

/**
 * What the guard found: base tables that are neither known nor refused. When the engine does not know them either, its own
 * message is better than ours; when it does, they are none of the tenant's and must be refused.
 */
export interface GuardVerdict {
  readonly unknownTables: readonly TableName[];
}

type Tree = Readonly<Record<string, unknown>>;

/** The parts of DuckDB's tree that are allowed; anything else is refused, whatever it is. */
const QUERY_NODES = new Set(['SELECT_NODE', 'SET_OPERATION_NODE', 'RECURSIVE_CTE_NODE', 'CTE_NODE']);
const TABLE_REFS = new Set([
  'BASE_TABLE',
  'SUBQUERY',
  'JOIN',
  'TABLE_FUNCTION',
  'EXPRESSION_LIST',
  'EMPTY',
  'SHOW_REF',
  'PIVOT',
]);
const EXPRESSIONS = new Set([
  ...[
    'BETWEEN',
    'CASE',
    'CAST',
    'COLLATE',
    'COLUMN_REF',
    'COMPARISON',
    'CONJUNCTION',
    'CONSTANT',
    'FUNCTION',
    'LAMBDA',
    'LAMBDA_REF',
    'OPERATOR',
  ],
  ...['POSITIONAL_REFERENCE', 'STAR', 'SUBQUERY', 'TYPE', 'WINDOW'],
]);

/**
 * Checks the tree of one SELECT-like statement, as `json_serialize_sql` gives it, against the allow-lists. Text is never matched:
 * case, comments, quoting and nesting make no difference in a tree.
 * Throws `read_only` naming what is refused, and `not_supported` for parameters.
 */
export function checkReadOnly(query: Tree, tables: TableDirectory): GuardVerdict {
  const walk = new GuardWalk(tables);
  walk.visit(query, new Set());
  return { unknownTables: walk.unknownTables };
}

/** Names of common table expressions in sight; DuckDB lets a name be seen only by what stands after it. */
type Scope = ReadonlySet<string>;

class GuardWalk {
  readonly unknownTables: TableName[] = [];
  readonly #tables: TableDirectory;

  constructor(tables: TableDirectory) {
    this.#tables = tables;
  }

  visit(value: unknown, scope: Scope): void {
    if (Array.isArray(value)) {
      for (const item of value) this.visit(item, scope);
    } else if (typeof value === 'object' && value !== null) {
      const tree = value as Tree;
      if ('cte_map' in tree) this.#queryNode(tree, scope);
      else if ('class' in tree) this.#expression(tree, scope);
      else if ('sample' in tree && 'alias' in tree) this.#tableRef(tree, scope);
      else this.#children(tree, scope);
    }
  }

  #children(tree: Tree, scope: Scope): void {
    for (const child of Object.values(tree)) this.visit(child, scope);
  }

  #queryNode(node: Tree, scope: Scope): void {
    const kind = text(node['type']);
    if (!QUERY_NODES.has(kind)) throw refused(`${kind} is not allowed`);
    let inner = scope;
    const entries = (node['cte_map'] as { map: { key: string; value: Tree }[] }).map;
    for (const entry of entries) {
      const visible = new Set(inner).add(entry.key.toLowerCase());
      const recursive = text(((entry.value['query'] as Tree)['node'] as Tree)['type']) === 'RECURSIVE_CTE_NODE';
      this.visit(entry.value, recursive ? visible : inner);
      inner = visible;
    }
    const { cte_map: _, ...rest } = node;
    this.#children(rest, inner);
  }

  #expression(expression: Tree, scope: Scope): void {
    const kind = text(expression['class']);
    if (kind === 'PARAMETER') {
      throw new ProblemError(
        'not_supported',
        'The statement has parameters (?, $1 or :name), and there is no way to give their values. Write the values into the SQL.',
      );
    }
    if (!EXPRESSIONS.has(kind)) throw refused(`the expression ${kind} is not allowed`);
    if (kind === 'CONSTANT') return;
    const name = text(expression['function_name']).toLowerCase();
    if (name !== '' && !(ALLOWED_FUNCTIONS.has(name) && builtIn(expression)))
      throw refused(`the function ${name} is not allowed`);
    this.#children(expression, scope);
  }

  #tableRef(ref: Tree, scope: Scope): void {
    const kind = text(ref['type']);
    if (!TABLE_REFS.has(kind)) throw refused(`${kind} is not allowed in FROM`);
    if (kind === 'BASE_TABLE') this.#baseTable(ref, scope);
    if (kind === 'SHOW_REF') checkShow(ref);
    if (kind === 'TABLE_FUNCTION') this.#tableFunction(ref, scope);
    else this.#children(ref, scope);
  }

  #tableFunction(ref: Tree, scope: Scope): void {
    const { function: call, ...rest } = ref;
    const name = text((call as Tree)['function_name']).toLowerCase();
    if (!(ALLOWED_TABLE_FUNCTIONS.has(name) && builtIn(call as Tree)))
      throw refused(`the table function ${name} is not allowed`);
    this.#children(call as Tree, scope);
    this.#children(rest, scope);
  }

  #baseTable(ref: Tree, scope: Scope): void {
    const table = {
      catalog: text(ref['catalog_name']),
      schema: text(ref['schema_name']),
      name: text(ref['table_name']),
    };
    if (table.catalog === '' && table.schema === '' && scope.has(table.name.toLowerCase())) return;
    if (this.#tables.has(table)) return;
    if (table.schema.toLowerCase() === 'information_schema' && ALLOWED_INFORMATION_SCHEMA.has(table.name.toLowerCase()))
      return;
    this.unknownTables.push(table);
  }
}

/** Unqualified, or qualified with where DuckDB keeps its own: nothing of that name can be anybody's macro. */
const builtIn = (call: Tree): boolean =>
  ['', 'main', 'pg_catalog'].includes(text(call['schema']).toLowerCase()) &&
  ['', 'system'].includes(text(call['catalog']).toLowerCase());

function checkShow(ref: Tree): void {
  const kind = text(ref['show_type']);
  const listed = kind === 'SHOW_UNQUALIFIED' && ALLOWED_SHOW.has(text(ref['table_name']).toLowerCase());
  const described = (kind === 'DESCRIBE' || kind === 'SUMMARY') && ref['query'] !== null;
  if (!listed && !described && kind !== 'SHOW_FROM') throw refused(`SHOW ${text(ref['table_name'])} is not allowed`);
}

export const refused = (what: string): ProblemError =>
  new ProblemError(
    'read_only',
    `Only single read-only statements are run here (SELECT, WITH, VALUES, FROM, SHOW, DESCRIBE, SUMMARIZE, EXPLAIN), and ${what}.`,
  );

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
