import type { Column } from '@sluice/contract';
import { uniqueColumns } from '@sluice/encoders';
import { unreadable } from '../protocol/json-scan.ts';

/** A column's type as its cells are read: its name for clients, and its parts. */
export interface TrinoType {
  /** Lower case, without spaces behind commas, as both engines write it: `map(varchar,decimal(3,2))`. */
  readonly name: string;
  /** Trino's own word, without parameters, in lower case: `timestamp with time zone`. */
  readonly base: string;
  /** Of an array its item, of a map key and value, of a row its fields. */
  readonly parts: readonly TrinoType[];
  /** Of a row, one for each part, distinct. */
  readonly fieldNames: readonly string[];
}

export interface TrinoColumns {
  readonly columns: readonly Column[];
  readonly types: readonly TrinoType[];
}

/** `ClientTypeSignature` of the protocol. */
interface Signature {
  readonly rawType?: unknown;
  readonly arguments?: unknown;
}

interface Argument {
  readonly kind?: unknown;
  readonly value?: unknown;
}

interface NamedType {
  readonly fieldName?: { readonly name?: unknown } | null;
  readonly typeSignature?: unknown;
}

/** Trino's word for a varchar without a length. */
const UNBOUNDED_LENGTH = 2_147_483_647;
const ZONED = ' with time zone';
/** Names that Trino writes without quotes inside `row(...)`. */
const PLAIN_FIELD = /^[a-z_][a-z0-9_]*$/;

/** The columns of a page; names are made distinct. */
export function readColumns(told: unknown): TrinoColumns {
  if (!Array.isArray(told)) throw unreadable('its columns are no list');
  const entries = told as readonly { readonly name?: unknown; readonly typeSignature?: unknown }[];
  const types = entries.map((entry) => readType(entry.typeSignature));
  const columns = entries.map((entry, index) => ({ name: String(entry.name), type: types[index]?.name ?? '' }));
  return { columns: uniqueColumns(columns), types };
}

export function readType(told: unknown): TrinoType {
  const signature = (told ?? {}) as Signature;
  if (typeof signature.rawType !== 'string') throw unreadable('a column of it has no type');
  const base = signature.rawType.toLowerCase();
  const given = (Array.isArray(signature.arguments) ? signature.arguments : []) as readonly Argument[];
  if (base === 'row') return readRow(given);
  const parts = given.filter((argument) => argument.kind === 'TYPE').map((argument) => readType(argument.value));
  const numbers = given.filter((argument) => argument.kind === 'LONG').map((argument) => Number(argument.value));
  return { base, parts, fieldNames: [], name: typeName(base, parts, numbers) };
}

function typeName(base: string, parts: readonly TrinoType[], numbers: readonly number[]): string {
  const inner = [...parts.map((part) => part.name), ...numbers];
  if (inner.length === 0 || (base === 'varchar' && numbers[0] === UNBOUNDED_LENGTH)) return base;
  // The precision stands inside: `timestamp(3) with time zone`.
  return base.endsWith(ZONED)
    ? `${base.slice(0, -ZONED.length)}(${inner.join(',')})${ZONED}`
    : `${base}(${inner.join(',')})`;
}

function readRow(given: readonly Argument[]): TrinoType {
  const named = given.map((argument) => (argument.value ?? {}) as NamedType);
  const parts = named.map((entry) => readType(entry.typeSignature));
  // A row may have one name twice, and an object of JSON may not.
  const fields = named.map((entry, index) => ({ name: String(entry.fieldName?.name ?? `field${index}`), type: '' }));
  const fieldNames = uniqueColumns(fields).map((field) => field.name);
  const inner = fieldNames.map((name, index) => `${quoteField(name)} ${parts[index]?.name}`);
  return { base: 'row', parts, fieldNames, name: `row(${inner.join(',')})` };
}

const quoteField = (name: string): string => (PLAIN_FIELD.test(name) ? name : `"${name.replaceAll('"', '""')}"`);
