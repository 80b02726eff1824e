import type { Column } from '@sluice/contract';
import { uniqueColumns } from '@sluice/encoders';
import { type Members, membersOf } from '../protocol/error-fields.ts';
import { unreadable } from '../protocol/json-scan.ts';

/** A column's type: its name for clients, and its parts, by which its cells are read. */
export interface TrinoType {
  /** Lower case, without spaces after commas, as both engines write it: `map(varchar,decimal(3,2))`. */
  readonly name: string;
  /** Trino's own name, without parameters, in lower case: `timestamp with time zone`. */
  readonly base: string;
  /** Item of an array, key and value of a map, fields of a row. */
  readonly parts: readonly TrinoType[];
  /** Distinct names of the parts of a row. Empty for other types. */
  readonly fieldNames: readonly string[];
}

interface TrinoColumns {
  readonly columns: readonly Column[];
  readonly types: readonly TrinoType[];
}

/** Real types are never nested this deeply, and each level takes some of the call stack. */
const DEPTH_MAX = 200;
/** Trino's length of a varchar without a length. */
const UNBOUNDED_LENGTH = 2_147_483_647;
const ZONED = ' with time zone';
/** Names that Trino writes without quotes inside `row(...)`. */
const PLAIN_FIELD = /^[a-z_][a-z0-9_]*$/;

/** Reads the columns of a page and makes their names distinct. */
export function readColumns(json: unknown): TrinoColumns {
  if (!Array.isArray(json)) throw unreadable('its columns are not a list');
  const entries = json.map(membersOf);
  const types = entries.map(({ typeSignature }) => readType(typeSignature));
  const columns = entries.map(({ name }, index) => {
    if (typeof name !== 'string') throw unreadable('a column has no name');
    return { name, type: types[index]?.name ?? '' };
  });
  return { columns: uniqueColumns(columns), types };
}

/** Reads a `ClientTypeSignature` of the protocol, `depth` levels inside other types. */
export function readType(json: unknown, depth = 0): TrinoType {
  if (depth > DEPTH_MAX) throw unreadable('a type is nested too deeply');
  const { rawType, arguments: list } = membersOf(json);
  if (typeof rawType !== 'string') throw unreadable('a column has no type');
  const base = rawType.toLowerCase();
  const given = Array.isArray(list) ? list.map(membersOf) : [];
  if (base === 'row') return readRow(given, depth);
  const parts = given.filter(({ kind }) => kind === 'TYPE').map(({ value }) => readType(value, depth + 1));
  const numbers = given.filter(({ kind }) => kind === 'LONG').map(({ value }) => Number(value));
  return { base, parts, fieldNames: [], name: typeName(base, parts, numbers) };
}

function typeName(base: string, parts: readonly TrinoType[], numbers: readonly number[]): string {
  const inner = [...parts.map((part) => part.name), ...numbers];
  if (inner.length === 0 || (base === 'varchar' && numbers[0] === UNBOUNDED_LENGTH)) return base;
  // The precision is inside the name: `timestamp(3) with time zone`.
  return base.endsWith(ZONED)
    ? `${base.slice(0, -ZONED.length)}(${inner.join(',')})${ZONED}`
    : `${base}(${inner.join(',')})`;
}

function readRow(given: readonly Members[], depth: number): TrinoType {
  const named = given.map(({ value }) => membersOf(value));
  const parts = named.map(({ typeSignature }) => readType(typeSignature, depth + 1));
  // A row may have a name twice, but an object of JSON may not.
  const fields = named.map(({ fieldName }, index) => {
    const { name } = membersOf(fieldName);
    return { name: typeof name === 'string' ? name : `field${index}`, type: '' };
  });
  const fieldNames = uniqueColumns(fields).map((field) => field.name);
  const inner = fieldNames.map((name, index) => `${quoteField(name)} ${parts[index]?.name}`);
  return { base: 'row', parts, fieldNames, name: `row(${inner.join(',')})` };
}

const quoteField = (name: string): string => (PLAIN_FIELD.test(name) ? name : `"${name.replaceAll('"', '""')}"`);
