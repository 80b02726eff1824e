import { createHash } from 'node:crypto';
import { canonicalJson, canonicalObject } from './canonical-json.ts';

/** A row of the log as it is sealed: a record, or what became of a query. */
export interface SealedRecord {
  readonly tenantId: string;
  readonly id: string;
  /** Of an outcome, the record it belongs to. */
  readonly recordId: string | null;
  /** Microseconds of the epoch, as text. */
  readonly occurredUs: string;
  readonly user: string;
  readonly action: string;
  readonly target: string;
  /** JSON text of an object. */
  readonly metadata: string;
  readonly requestId: string | null;
  readonly queryId: string | null;
  readonly sessionId: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** Form of a field: a JSON string or null, a whole number as it is written, or JSON text. */
type FieldKind = 'text' | 'number' | 'json';

interface SealedField {
  /** Name in the hashed text and in exports. */
  readonly name: string;
  readonly property: keyof SealedRecord;
  /** Column of `audit_log`. */
  readonly column: string;
  readonly kind: FieldKind;
}

/** Every field of the log that is sealed. `sequence` and the version are sealed besides. */
export const SEALED_FIELDS = [
  { name: 'occurred_us', property: 'occurredUs', column: 'occurred', kind: 'number' },
  { name: 'tenant_id', property: 'tenantId', column: 'tenant_id', kind: 'text' },
  { name: 'id', property: 'id', column: 'id', kind: 'text' },
  { name: 'record_id', property: 'recordId', column: 'record_id', kind: 'text' },
  { name: 'user', property: 'user', column: 'user_name', kind: 'text' },
  { name: 'action', property: 'action', column: 'action', kind: 'text' },
  { name: 'target', property: 'target', column: 'target', kind: 'text' },
  { name: 'request_id', property: 'requestId', column: 'request_id', kind: 'text' },
  { name: 'query_id', property: 'queryId', column: 'query_id', kind: 'text' },
  { name: 'session_id', property: 'sessionId', column: 'session_id', kind: 'text' },
  { name: 'address', property: 'address', column: 'address', kind: 'text' },
  { name: 'user_agent', property: 'userAgent', column: 'user_agent', kind: 'text' },
  { name: 'metadata', property: 'metadata', column: 'metadata', kind: 'json' },
] as const satisfies readonly SealedField[];

/** Format of what is sealed: 0 is that of records and checkpoints without `v`. */
export type SealVersion = 0 | 1;

/** The format that is written. */
export const SEAL_VERSION = 1 satisfies SealVersion;

const WRITERS: Readonly<Record<FieldKind, (value: string | null) => string>> = {
  text: (value) => JSON.stringify(value),
  number: (value) => String(value),
  json: (value) => canonicalJson(String(value)),
};

/** Returns the text to hash: a JSON object in canonical form. Throws SyntaxError when the metadata is not JSON. */
export const sealedText = (record: SealedRecord, sequence: number, version: SealVersion): string =>
  canonicalObject([
    ...SEALED_FIELDS.map(({ name, property, kind }) => [name, WRITERS[kind](record[property])] as const),
    ['sequence', String(sequence)],
    ...(version === 0 ? [] : [['v', String(version)] as const]),
  ]);

/** What the first record of a tenant follows. */
export const genesisHash = (tenantId: string): Buffer =>
  createHash('sha256').update(`sluice audit chain\n${tenantId}`).digest();

/** A record's hash covers the one before it, and so all that came before. */
export const chainHash = (previous: Uint8Array, text: string): Buffer =>
  createHash('sha256').update(previous).update(text).digest();
