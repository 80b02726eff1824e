import { AUDIT_FIELDS, type AuditField, SEAL_VERSIONS, type SealVersion } from '@sluice/contract/audit-fields';
import { canonicalJson, canonicalObject } from './canonical-json.ts';
import type { ExactInteger } from './exact-integer.ts';
import { createSha256 } from './node-sha256.ts';

/**
 * Row of `audit_log` as it is sealed: a record, or the outcome of a query. `recordId` is the record of an outcome, `occurredUs` the time in
 * microseconds since the epoch, `metadata` the JSON text of an object.
 */
export type SealedRecord = {
  readonly [F in AuditField as F['property']]: F['isNullable'] extends true ? string | null : string;
};

/** Version that sealers write. */
export const SEAL_VERSION = SEAL_VERSIONS[SEAL_VERSIONS.length - 1] as Exclude<SealVersion, 0>;

/** Fields of the sealed text of a version. The sequence and the version itself are sealed too. */
export const sealedFields = (version: SealVersion): readonly AuditField[] =>
  AUDIT_FIELDS.filter((field) => field.version <= version);

const FIELDS = SEAL_VERSIONS.map(sealedFields);

const WRITERS: Readonly<Record<AuditField['kind'], (value: string | null) => string>> = {
  text: (value) => JSON.stringify(value),
  uuid: (value) => JSON.stringify(value),
  number: (value) => String(value),
  json: (value) => canonicalJson(String(value)),
};

/** Returns the text to hash: a JSON object in canonical form. Throws SyntaxError when the metadata is not JSON. */
export const sealedText = (record: SealedRecord, sequence: ExactInteger, version: SealVersion): string =>
  canonicalObject([
    ...(FIELDS[version] ?? []).map(({ name, property, kind }) => [name, WRITERS[kind](record[property])] as const),
    ['sequence', String(sequence)],
    ...(version === 0 ? [] : [['v', String(version)] as const]),
  ]);

function hashOf(...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const hash = createSha256();
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** Returns the hash that the first record of a tenant follows. */
export const genesisHash = (tenantId: string): Uint8Array => hashOf(`sluice audit chain\n${tenantId}`);

/** Returns the hash of a record. It covers the previous hash, and so all earlier records. */
export const chainHash = (previous: Uint8Array, text: string): Uint8Array => hashOf(previous, text);
