import { type EngineError, ProblemError, type SqlLocation } from '@sluice/contract/problems';
import type { TableName } from '../../table-name.ts';
import { lowerAscii } from '../sql-text.ts';
import {
  ALLOWED_FUNCTIONS,
  ALLOWED_INFORMATION_SCHEMA,
  ALLOWED_SHOW,
  ALLOWED_TABLE_FUNCTIONS,
} from './allowed-functions.ts';
import { hasOnlyQuery, settingProblem, TABLE_MACROS, tableOfMacro } from './check-arguments.ts';
import {
  checkColumnsPattern,
  checkPatternArguments,
  PATTERN_FUNCTIONS,
  type PatternParameter,
} from './check-patterns.ts';
import type { NameDirectory } from './name-directory.ts';
import { VariantCheck } from './variant-check.ts';

/**
 * Names of the visible common table expressions; in DuckDB only what follows a name can see it. Each WITH has its own scope
 * inside the surrounding one: copying the names for each of its queries would take quadratic time.
 */
class CommonTableScope {
  readonly #outer: CommonTableScope | undefined;
  readonly #names = new Set<string>();

  constructor(outer?: CommonTableScope) {
    this.#outer = outer;
  }

  add(name: string): void {
    this.#names.add(lowerAscii(name));
  }

  has(name: string): boolean {
    return this.#names.has(lowerAscii(name)) || this.#outer?.has(name) === true;
  }
}

/**
 * Result of the guard: reasons for a rejection that depend on names which are neither allowed nor known to be the engine's. If
 * the engine does not know them either, its own message is better than ours; if it does, the statement must be rejected.
 */
export interface GuardVerdict {
  readonly rejections: readonly string[];
  /** Names of the parameters in the tree. */
  readonly parameters: ReadonlySet<string>;
  /** Parameters whose values must be checked each time (`checkPatternValues`). */
  readonly patterns: readonly PatternParameter[];
  /** Tables and views that the statement names. */
  readonly tables: ReadonlySet<TableName>;
}

type Tree = Readonly<Record<string, unknown>>;

/** Parts of DuckDB's tree that are allowed; everything else is rejected. */
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
 * Checks the tree of one SELECT-like statement, from `json_serialize_sql`, against the allow-lists. Text is never matched: case,
 * comments, quotes and nesting make no difference in a tree. Throws `read_only` with the name of what is rejected, and
 * `not_supported` for patterns that could split a character and for functions in which DuckDB crashes. The verdict holds for any values of the parameters, apart from patterns.
 */
export function checkReadOnly(query: Tree, names: NameDirectory): GuardVerdict {
  const visitor = new GuardVisitor(names);
  visitor.visit(query, new CommonTableScope());
  visitor.variants.finish(query);
  return visitor;
}

class GuardVisitor implements GuardVerdict {
  readonly rejections: string[] = [];
  readonly parameters = new Set<string>();
  readonly patterns: PatternParameter[] = [];
  readonly tables = new Set<TableName>();
  readonly variants: VariantCheck;
  readonly #names: NameDirectory;

  constructor(names: NameDirectory) {
    this.#names = names;
    this.variants = new VariantCheck(names);
  }

  visit(value: unknown, scope: CommonTableScope): void {
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

  #children(tree: Tree, scope: CommonTableScope): void {
    for (const child of Object.values(tree)) this.visit(child, scope);
  }

  #queryNode(node: Tree, scope: CommonTableScope): void {
    const kind = text(node['type']);
    if (!QUERY_NODES.has(kind)) throw readOnlyProblem(`${kind} is not allowed`);
    const { cte_map: _, ...rest } = node;
    this.#children(rest, this.#withCommonTables(node, scope));
  }

  /** Visits the definitions of a WITH. Returns the scope in which its names are visible. */
  #withCommonTables(node: Tree, scope: CommonTableScope): CommonTableScope {
    const entries = (node['cte_map'] as { map: { key: string; value: Tree }[] }).map;
    const inner = entries.length === 0 ? scope : new CommonTableScope(scope);
    for (const { key, value } of entries) {
      // If a system view has the name, DuckDB reads a name inside its own definition as that view.
      if (this.#names.isSystemView(key))
        throw readOnlyProblem(`a WITH query named ${key}, as a view of the engine, is not allowed`);
      this.#commonTable(value, key, inner);
    }
    return inner;
  }

  /** A recursive query sees itself in the part after UNION; not in the first part, nor in its own WITH. */
  #commonTable(definition: Tree, key: string, scope: CommonTableScope): void {
    const node = (definition['query'] as Tree)['node'] as Tree;
    if (text(node['type']) === 'RECURSIVE_CTE_NODE') {
      const { left, cte_map: _, ...rest } = node;
      const inner = this.#withCommonTables(node, scope);
      this.visit(left, inner);
      scope.add(key);
      this.#children(rest, inner);
      this.#children({ ...definition, query: undefined }, scope);
    } else {
      this.visit(definition, scope);
      scope.add(key);
    }
  }

  #expression(expression: Tree, scope: CommonTableScope): void {
    const kind = text(expression['class']);
    if (kind === 'PARAMETER') {
      this.parameters.add(text(expression['identifier']));
      return;
    }
    if (!EXPRESSIONS.has(kind)) throw readOnlyProblem(`the expression ${kind} is not allowed`);
    if (kind === 'CONSTANT') return;
    const name = lowerAscii(text(expression['function_name']));
    if (name !== '' && !(ALLOWED_FUNCTIONS.has(name) && this.#isBuiltIn(expression))) this.#rejectFunction(name);
    const problem = name === 'current_setting' ? settingProblem(expression) : undefined;
    if (problem !== undefined) throw readOnlyProblem(problem);
    this.variants.addFunction(name, expression);
    if (PATTERN_FUNCTIONS.has(name)) this.patterns.push(...checkPatternArguments(name, expression));
    if (kind === 'STAR' && expression['columns'] === true)
      this.patterns.push(...checkColumnsPattern(expression['expr'] as Tree | null));
    this.#children(expression, scope);
  }

  /**
   * Returns whether no macro of a user can have this name: it is unqualified, or qualified with the place of DuckDB's own
   * functions, or with a name that is not a schema, as in `column.upper()` and `table.column.upper()`.
   */
  #isBuiltIn(call: Tree): boolean {
    const catalog = lowerAscii(text(call['catalog']));
    const schema = lowerAscii(text(call['schema']));
    if (['', 'main', 'pg_catalog'].includes(schema)) return catalog === '' || catalog === 'system';
    return !this.#names.hasSchema({ catalog, schema });
  }

  #rejectFunction(name: string): void {
    const reason = `the function ${name} is not allowed`;
    if (this.#names.isFunction(name)) throw readOnlyProblem(reason);
    this.rejections.push(reason);
  }

  #tableRef(ref: Tree, scope: CommonTableScope): void {
    const kind = text(ref['type']);
    if (!TABLE_REFS.has(kind)) throw readOnlyProblem(`${kind} is not allowed in FROM`);
    if (kind === 'BASE_TABLE') this.#baseTable(ref, scope);
    if (kind === 'SHOW_REF') this.#show(ref);
    if (kind === 'TABLE_FUNCTION') this.#tableFunction(ref, scope);
    else this.#children(ref, scope);
  }

  #tableFunction(ref: Tree, scope: CommonTableScope): void {
    const { function: call, ...rest } = ref;
    const name = lowerAscii(text((call as Tree)['function_name']));
    if (!(ALLOWED_TABLE_FUNCTIONS.has(name) && this.#isBuiltIn(call as Tree))) this.#rejectFunction(name);
    if (TABLE_MACROS.has(name)) this.#macroTable(name, call as Tree, scope);
    if (name === 'summary' && !hasOnlyQuery(call as Tree))
      throw readOnlyProblem('summary is not allowed without a query: write summary((FROM ...))');
    this.#children(call as Tree, scope);
    this.#children(rest, scope);
  }

  #macroTable(name: string, call: Tree, scope: CommonTableScope): void {
    const table = tableOfMacro(call);
    if (table === undefined)
      throw readOnlyProblem(`the first argument of ${name} must be the name of a table, of words without quotes`);
    this.#table(table, scope);
  }

  #baseTable(ref: Tree, scope: CommonTableScope): void {
    const parts = [ref['catalog_name'], ref['schema_name'], ref['table_name']].map(text);
    const [catalog = '', schema = '', name = ''] = parts;
    this.#table({ catalog, schema, name }, scope);
  }

  #table(table: TableName, scope: CommonTableScope): void {
    const { catalog, schema, name } = table;
    const isRecurring = lowerAscii(schema) === 'recurring'; // all rows so far of a recursive query USING KEY
    if (catalog === '' && (schema === '' || isRecurring) && scope.has(name)) return;
    const found = this.#names.findTable(table);
    if (found !== undefined) {
      this.tables.add(found);
      this.variants.addTable(table);
      return;
    }
    if (lowerAscii(schema) === 'information_schema' && ALLOWED_INFORMATION_SCHEMA.has(lowerAscii(name))) return;
    const reason = `${dotted(catalog, schema, name)} is not a table or view that you can read`;
    const mayBeFile = [catalog, schema, name].some((part) => part !== '' && !PLAIN_NAME.test(part));
    if (mayBeFile || this.#names.isSystemView(name)) throw readOnlyProblem(reason);
    this.rejections.push(reason);
  }

  #show(ref: Tree): void {
    const kind = text(ref['show_type']);
    const name = text(ref['table_name']);
    if (kind === 'SHOW_FROM') {
      const schema = { catalog: text(ref['catalog_name']), schema: text(ref['schema_name']) };
      if (this.#names.hasSchema(schema)) return;
      this.rejections.push(`${dotted(schema.catalog, schema.schema)} is not a schema that you can read`);
      return;
    }
    const isList = kind === 'SHOW_UNQUALIFIED' && ALLOWED_SHOW.has(lowerAscii(name));
    const isDescription = (kind === 'DESCRIBE' || kind === 'SUMMARY') && ref['query'] !== null;
    if (!isList && !isDescription) throw readOnlyProblem(`SHOW ${name} is not allowed`);
  }
}

/**
 * Name of a table that cannot name a file outside. If a table does not exist, DuckDB looks for a file of that name and reads its start to
 * name its columns, which an error then shows. A name of only these characters, apart from dots between parts, is at most a file in the
 * worker's own folder `/`.
 */
const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_$ ]*$/u;

const dotted = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('.');

interface RejectionOptions {
  readonly location?: SqlLocation;
  readonly engineError?: EngineError;
}

export const readOnlyProblem = (what: string, options: RejectionOptions = {}): ProblemError =>
  new ProblemError(
    'read_only',
    `Only single read-only statements are run here (SELECT, WITH, VALUES, FROM, SHOW, DESCRIBE, SUMMARIZE, EXPLAIN), and ${what}.`,
    options,
  );

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
