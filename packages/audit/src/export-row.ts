import { canonicalJson, canonicalMembers } from './canonical-json.ts';
import { SEALED_FIELDS, type SealedRecord, type SealVersion } from './sealed-record.ts';

/** One record of an export. */
export interface ExportRow {
  readonly record: SealedRecord;
  readonly sequence: number;
  /** The format that it was sealed in. */
  readonly version: SealVersion;
  /** Lower-case hex, both. */
  readonly previousHash: string;
  readonly hash: string;
}

type Members = readonly (readonly [name: string, jsonText: string])[];

const TEXT_FIELDS = SEALED_FIELDS.filter(({ kind }) => kind === 'text');

/** The columns of an export of rows that are sealed without a version. */
export const EXPORT_COLUMNS_V0: readonly string[] = [
  'sequence',
  'timestamp',
  'occurred_us',
  ...TEXT_FIELDS.map(({ name }) => name),
  'metadata',
  'previous_hash',
  'hash',
];
export const EXPORT_COLUMNS: readonly string[] = [...EXPORT_COLUMNS_V0, 'v'];

/** Names and JSON texts of a row's members, in the order of an export's columns. A row that was sealed without a version has no `v`. */
export const membersOf = ({ record, sequence, version, previousHash, hash }: ExportRow): Members => [
  ['sequence', String(sequence)],
  ['timestamp', record.occurredUs.slice(0, -3)],
  ['occurred_us', record.occurredUs],
  ...TEXT_FIELDS.map(({ name, property }) => [name, JSON.stringify(record[property])] as const),
  ['metadata', record.metadata],
  ['previous_hash', JSON.stringify(previousHash)],
  ['hash', JSON.stringify(hash)],
  ...(version === 0 ? [] : [['v', String(version)] as const]),
];

/** A row as one JSON object. */
export const rowText = (row: ExportRow): string =>
  `{${membersOf(row)
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`;

const text = (members: ReadonlyMap<string, string>, name: string): string | null => {
  const value: unknown = JSON.parse(members.get(name) ?? 'undefined');
  if (value !== null && typeof value !== 'string') throw new SyntaxError(`${name} is no text`);
  return value;
};

const required = (members: ReadonlyMap<string, string>, name: string): string => {
  const value = text(members, name);
  if (value === null) throw new SyntaxError(`${name} is null`);
  return value;
};

const digits = (members: ReadonlyMap<string, string>, name: string): string => {
  const value = members.get(name) ?? '';
  if (!/^\d{1,16}$/.test(value)) throw new SyntaxError(`${name} is no whole number`);
  return value;
};

const versionOf = (text: string | undefined): SealVersion => {
  if (text !== undefined && text !== '1') throw new SyntaxError('v is not a known version');
  return text === undefined ? 0 : 1;
};

/** The row of members in canonical form. Throws SyntaxError when one is missing, too many, or not what a row would have. */
export function rowOf(members: ReadonlyMap<string, string>): ExportRow {
  const version = versionOf(members.get('v'));
  const columns = version === 0 ? EXPORT_COLUMNS_V0 : EXPORT_COLUMNS;
  if (members.size !== columns.length) throw new SyntaxError('members are missing or too many');
  const occurredUs = digits(members, 'occurred_us');
  if (digits(members, 'timestamp') !== occurredUs.slice(0, -3)) throw new SyntaxError('timestamp is not occurred_us');
  return {
    record: {
      tenantId: required(members, 'tenant_id'),
      id: required(members, 'id'),
      recordId: text(members, 'record_id'),
      occurredUs,
      user: required(members, 'user'),
      action: required(members, 'action'),
      target: required(members, 'target'),
      metadata: members.get('metadata') ?? '',
      requestId: text(members, 'request_id'),
      queryId: text(members, 'query_id'),
      sessionId: text(members, 'session_id'),
      address: text(members, 'address'),
      userAgent: text(members, 'user_agent'),
    },
    sequence: Number(digits(members, 'sequence')),
    version,
    previousHash: required(members, 'previous_hash'),
    hash: required(members, 'hash'),
  };
}

/** The members of a JSON line. Throws SyntaxError. */
export const membersOfLine = (line: string): Map<string, string> => canonicalMembers(line);

/** Numbers and JSON stand in a CSV cell as they are; a text without its quotes, and null as nothing. */
const BARE = new Set(['sequence', 'timestamp', 'occurred_us', 'metadata', 'v']);

/** The JSON text of a CSV cell; `undefined` is an empty one without quotes. */
export const jsonOfCell = (column: string, cell: string | undefined): string => {
  if (BARE.has(column)) return column === 'metadata' ? canonicalJson(cell ?? '') : (cell ?? '');
  return cell === undefined ? 'null' : JSON.stringify(cell);
};

export const cellOfJson = (column: string, json: string | undefined): string | undefined =>
  json === undefined || BARE.has(column) ? json : ((JSON.parse(json) as string | null) ?? undefined);

/** The row with each of its texts changed. */
export const withTexts = (row: ExportRow, change: (text: string) => string): ExportRow => {
  const texts = TEXT_FIELDS.map(({ property }) => [property, row.record[property]] as const);
  const changed = texts.map(([property, text]) => [property, text === null ? null : change(text)]);
  return { ...row, record: { ...row.record, ...Object.fromEntries(changed) } };
};
