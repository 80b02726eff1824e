import { ProblemError } from '@sluice/contract/problems';
import type { TableName } from '../../table-name.ts';
import { lowerAscii } from '../sql-text.ts';
import type { NameDirectory } from './name-directory.ts';

type Tree = Readonly<Record<string, unknown>>;

/**
 * Functions that read a VARIANT as if it were a list or a struct, in DuckDB 1.5.6: they write outside their memory, and the process crashes
 * or goes on with damaged memory. Found by calling every allowed function with values of this type.
 */
const UNSAFE_FUNCTIONS: ReadonlySet<string> = new Set([
  ...['array_grade_up', 'array_resize', 'array_reverse_sort', 'array_sort', 'grade_up', 'list_grade_up', 'list_resize'],
  ...['list_reverse_sort', 'list_sort', 'struct_extract_at'],
]);

/** Functions whose second argument names the type of their result. */
const TYPED_BY_TEXT: ReadonlySet<string> = new Set([
  ...['from_json', 'from_json_strict', 'json_transform', 'json_transform_strict'],
]);

/**
 * Rejects these functions in a statement in which a VARIANT may occur: the tree does not contain the types of expressions. A VARIANT
 * comes from a cast, from a column, or from a function whose type is a text.
 */
export class VariantCheck {
  readonly #names: NameDirectory;
  #unsafe: string | undefined;
  #hasVariant = false;

  constructor(names: NameDirectory) {
    this.#names = names;
  }

  addFunction(name: string, call: Tree): void {
    if (UNSAFE_FUNCTIONS.has(name)) this.#unsafe = name;
    const [, type] = (call['children'] ?? []) as readonly Tree[];
    if (TYPED_BY_TEXT.has(name) && (type?.['class'] !== 'CONSTANT' || /variant/i.test(JSON.stringify(type))))
      this.#hasVariant = true;
  }

  addTable(table: TableName): void {
    if (this.#names.hasVariantColumns(table)) this.#hasVariant = true;
  }

  /** Throws `not_supported` when both occur. The query is the whole tree of the statement. */
  finish(query: Tree): void {
    if (this.#unsafe === undefined || !(this.#hasVariant || this.#hasVariantType(query))) return;
    throw new ProblemError(
      'not_supported',
      `The function ${this.#unsafe} is not allowed in a statement that casts to VARIANT or reads a column of that type, because DuckDB can crash. Use one of the two, or sort with list(x ORDER BY x).`,
    );
  }

  #hasVariantType(value: unknown): boolean {
    if (Array.isArray(value)) return value.some((item) => this.#hasVariantType(item));
    if (typeof value !== 'object' || value === null) return false;
    const tree = value as Tree;
    if (tree['id'] === 'VARIANT') return true;
    const isNamed = tree['type'] === 'UNBOUND_TYPE_INFO' && typeof tree['name'] === 'string';
    if (isNamed && this.#names.isVariantType(lowerAscii(tree['name'] as string))) return true;
    return Object.values(tree).some((child) => this.#hasVariantType(child));
  }
}
