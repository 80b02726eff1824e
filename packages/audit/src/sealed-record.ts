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

/** Names of the members that are sealed, beside `sequence`. */
export const SEALED_MEMBERS = {
  tenant_id: 'tenantId',
  id: 'id',
  record_id: 'recordId',
  user: 'user',
  action: 'action',
  target: 'target',
  request_id: 'requestId',
  query_id: 'queryId',
  session_id: 'sessionId',
  address: 'address',
  user_agent: 'userAgent',
} as const satisfies Record<string, keyof SealedRecord>;

const MEMBERS = Object.entries(SEALED_MEMBERS);

/** What is hashed: a JSON object in canonical form. Throws SyntaxError when the metadata is no JSON. */
export const sealedText = (record: SealedRecord, sequence: number): string =>
  canonicalObject([
    ...MEMBERS.map(([name, field]) => [name, JSON.stringify(record[field])] as const),
    ['occurred_us', record.occurredUs],
    ['metadata', canonicalJson(record.metadata)],
    ['sequence', String(sequence)],
  ]);

/** What the first record of a tenant follows. */
export const genesisHash = (tenantId: string): Buffer =>
  createHash('sha256').update(`sluice audit chain\n${tenantId}`).digest();

/** A record's hash covers the one before it, and so all that came before. */
export const chainHash = (previous: Uint8Array, text: string): Buffer =>
  createHash('sha256').update(previous).update(text).digest();
