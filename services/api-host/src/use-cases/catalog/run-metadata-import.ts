import { asProblem, type Caller, isPermission, type Principal, ProblemError, type Tenant } from '@sluice/contract';
import type { ImportLease, ImportReference, MetadataImport, MetadataImportStore } from '@sluice/store/catalog';
import type { AuthStatusStore, TenantStore } from '@sluice/store/identity';
import type { ResourceDatabase } from '@sluice/store/resources';
import { importObjects, presentResult } from '../../resources/catalog/import-objects.ts';
import type { NumberedObject } from '../../resources/catalog/receive-import.ts';

interface RunMetadataImportDependencies {
  readonly tenants: Pick<TenantStore, 'findById'>;
  readonly authStatus: Pick<AuthStatusStore, 'ofUser' | 'ofClient'>;
  readonly metadataImports: MetadataImportStore;
  /** Connections of batches, for which no client waits. */
  readonly database: Pick<ResourceDatabase, 'change'>;
  /** Time after the last applied batch at which other hosts may claim the import. */
  readonly leaseMs: number;
}

/**
 * Applies the batches of one import until it is over. Returns immediately if another host has claimed the import, and after the batch in
 * progress if the import is cancelled. If `signal` aborts, the import is released for another host, which continues with the next batch,
 * and the reason of the signal is thrown.
 */
export type RunMetadataImport = (reference: ImportReference, signal: AbortSignal) => Promise<void>;

/** An import whose host dies this often at one batch may be what ends the hosts. */
const STALLED_MAX = 20;

export function createRunMetadataImport(dependencies: RunMetadataImportDependencies): RunMetadataImport {
  const { tenants, metadataImports, database, leaseMs } = dependencies;

  /** Returns false if the import was cancelled, or another host has it. */
  const applyBatch = async (caller: Caller, found: MetadataImport, number: number): Promise<boolean> => {
    const batch = await metadataImports.batch(found, number);
    if (batch === undefined) throw new Error('a batch of the import is missing');
    const numbered = JSON.parse(batch.objects) as NumberedObject[];
    const objects = numbered.map(({ object }) => object);
    const { importId, isDryRun } = found;
    const held = { lease: found, number, leaseMs };
    return await database.change(caller, async (tx) => {
      if (!(await tx.imports.lockBatch(held))) {
        tx.skipRecord();
        return false;
      }
      const origin = { import_id: importId, batch: number };
      const fieldLines = numbered.map((each) => each.fieldLines);
      const imported = await importObjects(tx, caller, { objects, fieldLines, isDryRun, origin });
      await tx.imports.completeBatch(held, {
        results: JSON.stringify(imported.map((each) => presentResult(each, isDryRun))),
        processed: imported.length,
        succeeded: imported.filter(({ rejection }) => rejection === undefined).length,
        changed: imported.filter(({ changes }) => changes.length > 0).length,
      });
      return true;
    });
  };

  const applyAll = async (tenant: Tenant, found: MetadataImport, signal: AbortSignal): Promise<void> => {
    if (found.stalled > STALLED_MAX) throw new ProblemError('internal', 'The next batch could not be applied.');
    for (let number = found.nextBatch; number < found.batches; number += 1) {
      signal.throwIfAborted();
      const principal = await currentPrincipal(dependencies, tenant, found);
      // The request that sent the file has a record of its own.
      const { address, userAgent } = found.sender;
      const requestId = found.importId;
      if (!(await applyBatch({ principal, requestId, address, userAgent }, found, number))) return;
    }
    await metadataImports.finish(found);
  };

  return async (reference, signal) => {
    const tenant = await tenants.findById(reference.tenantId);
    if (tenant === undefined) return;
    const found = await metadataImports.claim(reference, leaseMs);
    if (found === undefined) return;
    try {
      await applyAll(tenant, found, signal);
    } catch (thrown) {
      await settle(metadataImports, found, signal, thrown);
    }
  };
}

/** Releases an import that another attempt can continue. Fails any other. Always throws. */
async function settle(
  metadataImports: MetadataImportStore,
  lease: ImportLease,
  signal: AbortSignal,
  thrown: unknown,
): Promise<never> {
  if (signal.aborted) {
    await metadataImports.release(lease);
    throw signal.reason;
  }
  const { code, message } = asProblem(thrown);
  // The database is down: hosts find the import when the lease has expired.
  if (code !== 'service_unavailable' && code !== 'audit_unavailable') {
    await metadataImports.finish(lease, { code: code.toUpperCase(), message });
  }
  throw thrown;
}

/**
 * Returns the account that sent the file with the rights that it has now, and at most those that its request had. Throws `access_denied`
 * if it may not act any more.
 */
async function currentPrincipal(
  { authStatus }: RunMetadataImportDependencies,
  tenant: Tenant,
  { sender }: MetadataImport,
): Promise<Principal> {
  const status = await (sender.kind === 'user' ? authStatus.ofUser : authStatus.ofClient)(tenant.name, sender.name);
  const account = status?.account;
  if (account === undefined || account.id !== sender.id || account.disabled || status?.tenant.state !== 'active') {
    throw new ProblemError(
      'access_denied',
      `${sender.name}, who sent this file, was disabled or removed. The remaining objects were not applied.`,
    );
  }
  const now = new Set(account.permissions);
  return {
    tenant: status.tenant,
    kind: account.kind,
    id: account.id,
    name: account.name,
    roles: account.roles,
    permissions: new Set(sender.permissions.filter(isPermission).filter((each) => now.has(each))),
    authenticatedAtMs: performance.now(),
  };
}
