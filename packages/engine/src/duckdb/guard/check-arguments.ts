import type { TableName } from '../../table-name.ts';
import { lowerAscii } from '../sql-text.ts';

type Tree = Readonly<Record<string, unknown>>;

/** Settings of the session that tell nothing about the machine or other callers. */
const READABLE_SETTINGS: ReadonlySet<string> = new Set([
  ...['calendar', 'default_collation', 'default_null_order', 'default_order', 'ieee_floating_point_ops'],
  ...['integer_division', 'null_order', 'schema', 'search_path', 'timezone'],
]);

/** Returns why a call of `current_setting` is rejected. */
export function settingProblem(call: Tree): string | undefined {
  const [argument, ...others] = childrenOf(call);
  const setting = others.length === 0 ? stringOf(argument) : undefined;
  if (setting !== undefined && READABLE_SETTINGS.has(lowerAscii(setting))) return undefined;
  return `current_setting reads only these settings, as string literals: ${[...READABLE_SETTINGS].join(', ')}`;
}

/** Macros that read the table which their first argument names. */
export const TABLE_MACROS: ReadonlySet<string> = new Set(['histogram', 'histogram_values']);

/**
 * Returns the table that a call of one of these macros reads; undefined if its name is not written as one of plain words. DuckDB parses the
 * argument as the name of a table, or of a file.
 */
export function tableOfMacro(call: Tree): TableName | undefined {
  const [source, ...others] = childrenOf(call);
  const isSource = ({ alias }: Tree): boolean => lowerAscii(text(alias)) === 'source';
  if (source === undefined || !(text(source['alias']) === '' || isSource(source)) || others.some(isSource))
    return undefined;
  const parts = source['class'] === 'COLUMN_REF' ? (source['column_names'] as string[]) : stringOf(source)?.split('.');
  if (parts === undefined || parts.length > 3 || !parts.every((part) => PLAIN_WORD.test(part))) return undefined;
  const [name = '', schema = '', catalog = ''] = parts.toReversed();
  return { catalog, schema, name };
}

const PLAIN_WORD = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** Returns whether a call of `summary` has a query: of a constant it returns rows without end (1.5.6). */
export function hasOnlyQuery(call: Tree): boolean {
  const children = childrenOf(call);
  return children.length === 1 && children[0]?.['class'] === 'SUBQUERY';
}

const childrenOf = (call: Tree): readonly Tree[] => (call['children'] ?? []) as readonly Tree[];

function stringOf(argument: Tree | undefined): string | undefined {
  if (argument?.['class'] !== 'CONSTANT') return undefined;
  const { type, value } = argument['value'] as { readonly type: { readonly id: string }; readonly value?: unknown };
  return type.id === 'VARCHAR' && typeof value === 'string' ? value : undefined;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
