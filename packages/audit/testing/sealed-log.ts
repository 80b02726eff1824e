import { AUDIT_FIELDS } from '@sluice/contract';
import type { ChainEntry } from '../src/check-link.ts';
import type { Verdict } from '../src/finding.ts';
import { type ChainHead, sealRows } from '../src/seal-rows.ts';
import { SEAL_VERSION, type SealedRecord } from '../src/sealed-record.ts';
import { createAuditSigner, trustedKeys } from '../src/signing-key.ts';
import type { SignedPayload } from '../src/trusted-keys.ts';
import { type ReceiptMismatch, verifyChain } from '../src/verify-chain.ts';

export const TENANT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const START_MS = 1_700_000_000_000;
const RETENTION = { kept_ms: 1000, tenant_ms: null };
export const signer = createAuditSigner(Buffer.alloc(32, 3));

/** Sealed log of one tenant in memory, as the verifier reads it. */
export interface SealedLog {
  readonly entries: readonly ChainEntry[];
  readonly checkpoints: readonly SignedPayload[];
  /** First receipt that differs from the log, as the database reports it. */
  readonly receiptMismatch?: ReceiptMismatch;
  /** Payloads of checkpoints that were saved outside the database, by number. */
  readonly saved?: ReadonlyMap<number, string>;
}

const recordIdOf = (index: number): string => `7c9e6679-7425-40de-944b-${String(index).padStart(12, '0')}`;

const ALL_NULL = Object.fromEntries(AUDIT_FIELDS.map(({ property }) => [property, null]));

/** Returns a record with these values, and null in every other field, so that a new field changes no test. */
export const recordWith = (values: Partial<SealedRecord>): SealedRecord => ({ ...ALL_NULL, ...values }) as SealedRecord;

export const sampleRecord = (index: number): SealedRecord =>
  recordWith({
    tenantId: TENANT,
    id: recordIdOf(index),
    recordId: index % 3 === 2 ? recordIdOf(index - 1) : null,
    occurredUs: String((START_MS + index) * 1000),
    user: index % 2 === 0 ? 'ann@example.com' : 'bob@example.com',
    action: 'RUN_QUERY',
    target: `target ${index}`,
    requestId: `request ${index}`,
    queryId: '9b2f7f6e-5ad5-4f0e-8a25-3a3d6d2f1c11',
    address: '127.0.0.1',
    metadata: `{"sql": "select ${index}", "n": 9007199254740993}`,
  });

interface NumberedLog extends SealedLog {
  readonly entries: readonly (ChainEntry & { readonly sequence: number })[];
}

/** Seals records in batches, each with a checkpoint, as the sealer does. */
export function sealLog(records: readonly SealedRecord[], batch: number): NumberedLog {
  const entries: NumberedLog['entries'][number][] = [];
  const checkpoints: SignedPayload[] = [];
  let head: ChainHead | undefined;
  for (let start = 0; start < records.length; start += batch) {
    const now = START_MS + start + batch;
    const pass = { sinceMs: START_MS + start - 1, untilMs: now, lateIds: new Set<string>(), retention: RETENTION };
    const options = { tenantId: TENANT, signer, now, pass };
    const { links, checkpoint } = sealRows(records.slice(start, start + batch), head, options);
    for (const { record, sequence, hash } of links) {
      entries.push({ sequence, hash, version: SEAL_VERSION, recordId: record.id, record });
    }
    checkpoints.push(checkpoint);
    const { number, sequence, payload } = checkpoint;
    head = { number, sequence, payload, hash: links.at(-1)?.hash ?? Buffer.alloc(0) };
  }
  return { entries, checkpoints };
}

/** Small batches, so that a mutation may cross their borders. */
async function* batchesOf<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let start = 0; start < items.length; start += 5) yield items.slice(start, start + 5);
}

export const verifyLog = ({ entries, checkpoints, receiptMismatch, saved }: SealedLog): Promise<Verdict> =>
  verifyChain({
    tenantId: TENANT,
    keys: trustedKeys([signer.publicKey]),
    saved,
    checkpoints: () => batchesOf(checkpoints),
    entries: () => batchesOf(entries),
    unsealed: () => batchesOf([]),
    clock: async () => ({ seenMs: START_MS + 1_000_000, nowMs: START_MS + 1_000_000 }),
    countMismatch: async () => undefined,
    receiptMismatch: async () => receiptMismatch,
    retention: async () => RETENTION,
  });
