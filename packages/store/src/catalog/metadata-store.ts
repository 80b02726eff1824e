import type { AuditRecord } from '@sluice/contract';
import { appendAudit } from '../audit/audit-store.ts';
import { changeInBatches } from '../database/change-in-batches.ts';
import type { Database } from '../database/database.ts';
import { prepared, type Transaction } from '../database/transaction.ts';
import { refreshSearch } from '../search/refresh-search.ts';
import { type BatchDecision, completeBatch, type HeldBatch, lockBatch } from './apply-batch.ts';
import type { FactWrite, FoundFact } from './metadata-facts.ts';
import { claimKey, type IdempotentRequest, type StoredResponse, saveResponse } from './metadata-idempotency.ts';
import { type FactInput, lockDomains, lockFacts } from './metadata-reads.ts';
import { writeFacts } from './metadata-writes.ts';

export interface MetadataWriteOptions {
  readonly tenantId: string;
  /** User for `updated_by`. */
  readonly user: string;
  readonly inputs: readonly FactInput[];
  /** Every domain that the request may refer to. */
  readonly domainIds: readonly string[];
  /** Performs every statement, and then rolls back all but the audit record. */
  readonly isDryRun: boolean;
  readonly idempotency?: IdempotentRequest;
}

export interface FoundMetadata {
  /** Found facts by `referenceKey`. */
  readonly facts: ReadonlyMap<string, FoundFact>;
  readonly domainIds: ReadonlySet<string>;
}

/** Writes, audit record and response of a request. */
export interface MetadataDecision {
  readonly writes: readonly FactWrite[];
  readonly audit: AuditRecord;
  readonly response: StoredResponse;
}

type MetadataOutcome =
  | { readonly kind: 'done' | 'replayed'; readonly response: StoredResponse }
  | { readonly kind: 'other request' };

export interface MetadataStore {
  ownsDatamap(tenantId: string, accountId: string): Promise<boolean>;
  /**
   * Runs one transaction: locks the requested facts, passes them to `decide`, and writes its result with the audit record. `recordReplay`
   * makes the record of a repeated request.
   */
  change(
    options: MetadataWriteOptions,
    decide: (found: FoundMetadata) => MetadataDecision,
    recordReplay: () => AuditRecord,
  ): Promise<MetadataOutcome>;
  /**
   * Applies a batch of an imported file as `change` does. Returns false, and changes nothing, if the batch is not the next one of its import
   * or the host no longer holds the import.
   */
  changeBatch(
    options: Omit<MetadataWriteOptions, 'idempotency'>,
    batch: HeldBatch,
    decide: (found: FoundMetadata) => BatchDecision,
  ): Promise<boolean>;
  /** Removes old idempotency keys. Call it hourly. */
  deleteOldKeys(): Promise<void>;
}

const OWNS_DATAMAP = prepared('owns_datamap', 'select 1 from datamaps where tenant_id = $1 and owner_id = $2 limit 1');

const writeAll = async (
  transaction: Transaction,
  options: MetadataWriteOptions,
  writes: readonly FactWrite[],
): Promise<void> => {
  if (writes.length === 0) return;
  await writeFacts(transaction, options, writes);
  await refreshSearch(
    transaction,
    options.tenantId,
    writes.map(({ factId }) => factId),
  );
};

/** Runs the same statements as a real change, so that a dry run finds the same errors. */
const dryRunAll = async (
  transaction: Transaction,
  options: MetadataWriteOptions,
  writes: readonly FactWrite[],
): Promise<void> => {
  await transaction.query('savepoint trial');
  await writeAll(transaction, options, writes);
  await transaction.query('rollback to savepoint trial');
};

/** Locks and reads what the request refers to, and writes what `decide` returns for it, with its audit record. */
const decideAndWrite = async <D extends Pick<MetadataDecision, 'writes' | 'audit'>>(
  transaction: Transaction,
  options: MetadataWriteOptions,
  decide: (found: FoundMetadata) => D,
): Promise<D> => {
  const facts = await lockFacts(transaction, options.tenantId, options.inputs);
  const domainIds = await lockDomains(transaction, options.tenantId, options.domainIds);
  const decision = decide({ facts, domainIds });
  await (options.isDryRun ? dryRunAll : writeAll)(transaction, options, decision.writes);
  await appendAudit(transaction, decision.audit);
  return decision;
};

export function createMetadataStore(database: Database): MetadataStore {
  return {
    async ownsDatamap(tenantId, accountId) {
      return (await database.run({ tenantId }, OWNS_DATAMAP, [tenantId, accountId])).length > 0;
    },
    change: (options, decide, recordReplay) =>
      database.withTenant(options.tenantId, async (transaction): Promise<MetadataOutcome> => {
        const { tenantId, idempotency } = options;
        const claim = idempotency && (await claimKey(transaction, tenantId, idempotency));
        if (claim?.kind === 'other request') return claim;
        if (claim?.kind === 'repeated') {
          await appendAudit(transaction, recordReplay());
          return { kind: 'replayed', response: claim.response };
        }
        const { response } = await decideAndWrite(transaction, options, decide);
        if (idempotency !== undefined) await saveResponse(transaction, tenantId, { request: idempotency, response });
        return { kind: 'done', response };
      }),
    changeBatch: (options, batch, decide) =>
      database.withTenant(options.tenantId, async (transaction) => {
        if (!(await lockBatch(transaction, batch))) return false;
        await completeBatch(transaction, batch, await decideAndWrite(transaction, options, decide));
        return true;
      }),
    async deleteOldKeys() {
      await changeInBatches(database, {
        change: 'delete from idempotency_keys',
        table: 'idempotency_keys',
        where: `created < now() - interval '24 hours'`,
      });
    },
  };
}
