import type { Caller } from '../identity/caller.ts';

/** Formats of sealed records, oldest first. Version 0 has no member `v`. Sealers write the last version. */
export const SEAL_VERSIONS = [0, 1] as const;
export type SealVersion = (typeof SEAL_VERSIONS)[number];

interface AuditFieldSpec {
  /** Name in sealed text, exports and search results. */
  readonly name: string;
  /** Property of `AuditRecord` and `SealedRecord`. */
  readonly property: string;
  /** Column of `audit_log`. */
  readonly column: string;
  /** `number`: an integer in decimal digits. `json`: JSON text of an object. */
  readonly kind: 'text' | 'uuid' | 'number' | 'json';
  readonly isNullable: boolean;
  /** Origin of the value: the store that writes the row, the action that is recorded, or a function of the caller. */
  readonly source: 'store' | 'act' | ((caller: Caller) => string | undefined);
  /** Longer values are cut. */
  readonly charactersMax?: number;
  /**
   * First version whose sealed text has the field. A field of a later version than 0 must be nullable: older records do not have it.
   * A record that was sealed under an older version proves nothing about a newer field, and its export leaves the field out.
   */
  readonly version: SealVersion;
}

/**
 * Every field of the audit log. The types of records, the columns and values of inserts, the members of sealed text, the columns of
 * exports and the nullable members of search results are derived from this table.
 */
export const AUDIT_FIELDS = [
  {
    name: 'occurred_us',
    property: 'occurredUs',
    column: 'occurred',
    kind: 'number',
    isNullable: false,
    source: 'store',
    version: 0,
  },
  {
    name: 'tenant_id',
    property: 'tenantId',
    column: 'tenant_id',
    kind: 'uuid',
    isNullable: false,
    source: ({ principal }: Caller) => principal.tenant.id,
    version: 0,
  },
  { name: 'id', property: 'id', column: 'id', kind: 'uuid', isNullable: false, source: 'store', version: 0 },
  {
    name: 'record_id',
    property: 'recordId',
    column: 'record_id',
    kind: 'uuid',
    isNullable: true,
    source: 'store',
    version: 0,
  },
  {
    name: 'user',
    property: 'user',
    column: 'user_name',
    kind: 'text',
    isNullable: false,
    source: ({ principal }: Caller) => principal.name,
    charactersMax: 320,
    version: 0,
  },
  { name: 'action', property: 'action', column: 'action', kind: 'text', isNullable: false, source: 'act', version: 0 },
  {
    name: 'target',
    property: 'target',
    column: 'target',
    kind: 'text',
    isNullable: false,
    source: 'act',
    charactersMax: 320,
    version: 0,
  },
  {
    name: 'request_id',
    property: 'requestId',
    column: 'request_id',
    kind: 'text',
    isNullable: true,
    source: ({ requestId }: Caller) => requestId,
    version: 0,
  },
  {
    name: 'query_id',
    property: 'queryId',
    column: 'query_id',
    kind: 'uuid',
    isNullable: true,
    source: 'act',
    version: 0,
  },
  {
    name: 'session_id',
    property: 'sessionId',
    column: 'session_id',
    kind: 'uuid',
    isNullable: true,
    source: ({ principal }: Caller) => principal.sessionId,
    version: 0,
  },
  {
    name: 'address',
    property: 'address',
    column: 'address',
    kind: 'text',
    isNullable: true,
    source: ({ address }: Caller) => address,
    version: 0,
  },
  {
    name: 'user_agent',
    property: 'userAgent',
    column: 'user_agent',
    kind: 'text',
    isNullable: true,
    source: ({ userAgent }: Caller) => userAgent,
    charactersMax: 512,
    version: 0,
  },
  {
    name: 'metadata',
    property: 'metadata',
    column: 'metadata',
    kind: 'json',
    isNullable: false,
    source: 'act',
    version: 0,
  },
] as const satisfies readonly AuditFieldSpec[];

/** Union of the entries of the table. */
export type AuditField = (typeof AUDIT_FIELDS)[number];

/** Fields that a search result has only for some records; null otherwise. */
type OptionalField = Extract<AuditField, { isNullable: true; source: Exclude<AuditField['source'], 'store'> }>;

const isOptional = (field: AuditField): field is OptionalField => field.isNullable && field.source !== 'store';

export const OPTIONAL_AUDIT_FIELDS: readonly OptionalField[] = AUDIT_FIELDS.filter(isOptional);
