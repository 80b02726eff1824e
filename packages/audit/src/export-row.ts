import { SEAL_VERSIONS, type SealVersion } from '@sluice/contract/audit-fields';
import { canonicalJson, canonicalMembers } from './canonical-json.ts';
import { SEAL_VERSION, type SealedRecord, sealedFields } from './sealed-record.ts';

/** One record of an export. */
export interface ExportRow {
  readonly record: SealedRecord;
  readonly sequence: number;
  /** Version under which it was sealed. */
  readonly version: SealVersion;
  /** Lower-case hex. */
  readonly previousHash: string;
  /** Lower-case hex. */
  readonly hash: string;
}

const textFields = (version: SealVersion) =>
  sealedFields(version).filter(({ kind }) => kind === 'text' || kind === 'uuid');

const TEXT_FIELDS = textFields(SEAL_VERSION);

const columnsOf = (version: SealVersion): readonly string[] => [
  ...['sequence', 'timestamp', 'occurred_us'],
  ...textFields(0).map(({ name }) => name),
  ...['metadata', 'previous_hash', 'hash'],
  ...(version === 0 ? [] : ['v']),
  ...textFields(version)
    .filter((field) => field.version > 0)
    .map(({ name }) => name),
];

/** Columns of an export by version. A later version only appends columns. */
const COLUMNS = SEAL_VERSIONS.map(columnsOf);

/** Returns the columns of a row that was sealed under a version. */
export const exportColumns = (version: SealVersion): readonly string[] => COLUMNS[version] ?? [];

/** Returns names and JSON of the members of a row, in the order of the columns of its version. */
export const membersOf = ({
  record,
  sequence,
  version,
  previousHash,
  hash,
}: ExportRow): readonly (readonly [name: string, jsonText: string])[] => {
  const values = new Map<string, string>([
    ['sequence', String(sequence)],
    ['timestamp', record.occurredUs.slice(0, -3)],
    ['occurred_us', record.occurredUs],
    ['metadata', record.metadata],
    ['previous_hash', JSON.stringify(previousHash)],
    ['hash', JSON.stringify(hash)],
    ['v', String(version)],
    ...TEXT_FIELDS.map(({ name, property }) => [name, JSON.stringify(record[property])] as const),
  ]);
  return exportColumns(version).map((column) => [column, values.get(column) ?? 'null'] as const);
};

/** Returns where a row is, for a finding. */
export const toPosition = ({ record, sequence }: ExportRow) => ({
  sequence,
  recordId: record.id,
  timeMs: Number(record.occurredUs.slice(0, -3)),
});

/** Returns a row as one JSON object. */
export const rowText = (row: ExportRow): string =>
  `{${membersOf(row)
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`;

const text = (members: ReadonlyMap<string, string>, name: string): string | null => {
  const value: unknown = JSON.parse(members.get(name) ?? 'undefined');
  if (value !== null && typeof value !== 'string') throw new SyntaxError(`${name} is not a string`);
  return value;
};

const requiredText = (members: ReadonlyMap<string, string>, name: string): string => {
  const value = text(members, name);
  if (value === null) throw new SyntaxError(`${name} is null`);
  return value;
};

const jsonText = (members: ReadonlyMap<string, string>, name: string): string => {
  const value = members.get(name);
  if (value === undefined) throw new SyntaxError(`${name} is missing`);
  return value;
};

const digits = (members: ReadonlyMap<string, string>, name: string): string => {
  const value = members.get(name) ?? '';
  if (!/^\d{1,16}$/.test(value)) throw new SyntaxError(`${name} is not a whole number`);
  return value;
};

const sequenceOf = (members: ReadonlyMap<string, string>): number => {
  const sequence = Number(digits(members, 'sequence'));
  if (!Number.isSafeInteger(sequence)) throw new SyntaxError('sequence is too large');
  return sequence;
};

const versionOf = (digitsOfVersion: string | undefined): SealVersion => {
  if (digitsOfVersion === undefined) return 0;
  const version = SEAL_VERSIONS.find((known) => known > 0 && String(known) === digitsOfVersion);
  if (version === undefined) throw new SyntaxError('v is not a known version');
  return version;
};

const recordOf = (members: ReadonlyMap<string, string>, version: SealVersion): SealedRecord => {
  const record: Record<string, string | null> = {};
  for (const field of sealedFields(SEAL_VERSION)) {
    const { name, property, kind, isNullable } = field;
    if (field.version > version) record[property] = null;
    else if (kind === 'number') record[property] = digits(members, name);
    else if (kind === 'json') record[property] = jsonText(members, name);
    else record[property] = isNullable ? text(members, name) : requiredText(members, name);
  }
  return record as SealedRecord;
};

/** Reads the row of members in canonical form. Throws SyntaxError when a member is missing, unknown or malformed. */
export function rowOf(members: ReadonlyMap<string, string>): ExportRow {
  const version = versionOf(members.get('v'));
  if (members.size !== exportColumns(version).length) throw new SyntaxError('members are missing or too many');
  const record = recordOf(members, version);
  if (digits(members, 'timestamp') !== record.occurredUs.slice(0, -3)) {
    throw new SyntaxError('timestamp is not occurred_us');
  }
  return {
    record,
    sequence: sequenceOf(members),
    version,
    previousHash: requiredText(members, 'previous_hash'),
    hash: requiredText(members, 'hash'),
  };
}

/** Reads the members of a JSON line. Throws SyntaxError. */
export const membersOfLine = (line: string): Map<string, string> => canonicalMembers(line);

/** Columns whose CSV cell is the JSON itself. Any other cell is the string without its quotes, or empty for null. */
const JSON_COLUMNS = new Set(['sequence', 'timestamp', 'occurred_us', 'metadata', 'v']);

/** Returns the JSON text of a CSV cell; `undefined` is an empty cell without quotes. */
const jsonOfCell = (column: string, cell: string | undefined): string => {
  if (JSON_COLUMNS.has(column)) return column === 'metadata' ? canonicalJson(cell ?? '') : (cell ?? '');
  return cell === undefined ? 'null' : JSON.stringify(cell);
};

export const cellOfJson = (column: string, json: string | undefined): string | undefined =>
  json === undefined || JSON_COLUMNS.has(column) ? json : ((JSON.parse(json) as string | null) ?? undefined);

/** Reads the members of CSV cells. Empty cells of columns that the row's version does not have are left out. */
export function membersOfCells(
  columns: readonly string[],
  cells: readonly (string | undefined)[],
): Map<string, string> {
  const members = new Map(columns.map((column, index) => [column, jsonOfCell(column, cells[index])]));
  if (members.get('v') === '') members.delete('v');
  const own = new Set(exportColumns(versionOf(members.get('v'))));
  for (const [name, json] of members) if (!own.has(name) && json === 'null') members.delete(name);
  return members;
}

/** Returns the row with each of its strings changed. */
export const withStrings = (row: ExportRow, change: (text: string) => string): ExportRow => {
  const strings = TEXT_FIELDS.map(({ property }) => [property, row.record[property]] as const);
  const changed = strings.map(([property, text]) => [property, text === null ? null : change(text)]);
  return { ...row, record: { ...row.record, ...Object.fromEntries(changed) } };
};
