import { lowerAscii } from '../sql-text.ts';
import type { NameDirectory } from './name-directory.ts';

type Tree = Readonly<Record<string, unknown>>;

/**
 * Words that DuckDB reads as a function if no column has the name. It plans `localtime` and `localtimestamp` as constants, although
 * they are not (1.5.6).
 */
const VALUE_WORDS: ReadonlySet<string> = new Set(
  'current_catalog current_date current_role current_schema current_time current_timestamp current_user localtime localtimestamp session_user user'.split(
    ' ',
  ),
);

/** Functions that depend on the present time with some arguments, although DuckDB calls them consistent (1.5.6). */
const TIME_FUNCTIONS: ReadonlySet<string> = new Set(['age', 'timezone']);

/**
 * Returns whether every expression in a tree has the same value whenever it is planned. DuckDB plans some functions of the present
 * time as constants, so that a prepared statement would return the time of its preparation. A function without arguments can only
 * be a constant or depend on its surroundings. One with a schema may be `localtime.hour()`.
 */
export function isRepeatable(value: unknown, names: NameDirectory): boolean {
  if (Array.isArray(value)) return value.every((item) => isRepeatable(item, names));
  if (typeof value !== 'object' || value === null) return true;
  const tree = value as Tree;
  if (tree['class'] === 'FUNCTION' && !isRepeatableCall(tree, names)) return false;
  if (tree['class'] === 'COLUMN_REF' && (tree['column_names'] as readonly string[]).some(isValueWord)) return false;
  return Object.values(tree).every((child) => isRepeatable(child, names));
}

function isRepeatableCall(call: Tree, names: NameDirectory): boolean {
  const name = lowerAscii(String(call['function_name']));
  if (call['schema'] !== '' || call['catalog'] !== '' || TIME_FUNCTIONS.has(name)) return false;
  return (call['children'] as readonly unknown[]).length > 0 && names.isConsistentFunction(name);
}

const isValueWord = (name: string): boolean => VALUE_WORDS.has(lowerAscii(name));
