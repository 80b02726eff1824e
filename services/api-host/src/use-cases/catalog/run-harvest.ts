import { asProblem, type ProblemError, type Tenant } from '@sluice/contract';
import type { CatalogPage, CatalogPosition } from '@sluice/engine';
import type { HarvestCatalogStore, HarvestLease, HarvestReference, HarvestRunStore } from '@sluice/store/catalog';
import type { TenantStore } from '@sluice/store/identity';
import type { TenantEngines } from '@sluice/tenant-engines';
import { holdLease } from './hold-lease.ts';
import { storableTables } from './storable-tables.ts';

interface RunHarvestDependencies {
  readonly tenants: Pick<TenantStore, 'findById'>;
  readonly harvestRuns: HarvestRunStore;
  readonly harvestCatalogs: HarvestCatalogStore;
  readonly engines: Pick<TenantEngines, 'catalog' | 'sourceOf'>;
  /** User in whose name the engine lists its catalogs. */
  readonly harvestUser: string;
  /** Time after the last renewal at which other hosts may claim the run. */
  readonly leaseMs: number;
}

/**
 * Mirrors the catalogs of one run until it is over. Returns immediately if another host has claimed the run. If `signal` aborts, the run
 * is released for another host, which continues after the last written page, and the reason of the signal is thrown.
 */
type RunHarvest = (run: HarvestReference, signal: AbortSignal) => Promise<void>;

export const createRunHarvest =
  (dependencies: RunHarvestDependencies): RunHarvest =>
  async (run, signal) => {
    const { tenants, harvestRuns, leaseMs } = dependencies;
    const tenant = await tenants.findById(run.tenantId);
    if (tenant === undefined) return;
    const claimed = await harvestRuns.claim(run, leaseMs);
    if (claimed === undefined) return;
    const { lease, after } = claimed;
    await using held = holdLease({ renew: () => harvestRuns.renew(lease, leaseMs), everyMs: leaseMs / 3 });
    const stop = AbortSignal.any([signal, held.lost]);
    try {
      const failures = await mirror(dependencies, { tenant, lease, after, signal: stop });
      await harvestRuns.finish(lease, failures);
    } catch (thrown) {
      if (held.lost.aborted) return; // the host that has it now continues
      if (signal.aborted) {
        await harvestRuns.release(lease);
        throw signal.reason;
      }
      const { code, message } = asProblem(thrown);
      // The database is down, or another host was faster: other hosts find the run when the lease has expired.
      if (code === 'service_unavailable' || code === 'conflict') throw thrown;
      await harvestRuns.finish(lease, { code: code.toUpperCase(), message });
      throw thrown;
    }
  };

interface Mirroring {
  readonly tenant: Tenant;
  readonly lease: HarvestLease;
  readonly after: CatalogPosition | undefined;
  readonly signal: AbortSignal;
}

/** Mirrors the readable catalogs. Returns an error that names the unreadable ones, if any. */
async function mirror(
  { engines, harvestCatalogs, harvestUser }: RunHarvestDependencies,
  { tenant, lease, after, signal }: Mirroring,
): Promise<{ code: string; message: string } | undefined> {
  const unreadable: { readonly catalog: string; readonly problem: ProblemError }[] = [];
  let last = after;
  for await (const page of engines.catalog(tenant, { user: harvestUser, after, signal })) {
    signal.throwIfAborted();
    // An empty list of catalogs is more likely a wrong setting than the loss of all data, so nothing is marked as absent.
    if (page.kind === 'catalogs' && page.names.length === 0) return undefined;
    if (page.kind === 'unreadable') unreadable.push(page);
    else last = await write(page, last);
  }
  await harvestCatalogs.markAbsentCatalogs(lease);
  const [first] = unreadable;
  if (first === undefined) return undefined;
  const names = unreadable.map(({ catalog }) => catalog).join(', ');
  return {
    code: first.problem.streamCode,
    message: `These catalogs could not be read, and keep their earlier metadata: ${names}. ${first.problem.message}`,
  };

  async function write(
    page: Exclude<CatalogPage, { readonly kind: 'unreadable' }>,
    before: CatalogPosition | undefined,
  ): Promise<CatalogPosition | undefined> {
    if (page.kind === 'catalogs') {
      await harvestCatalogs.putCatalogs(lease, page.names, engines.sourceOf(tenant));
      return before;
    }
    const { catalog } = page;
    const position = before?.catalog === catalog ? before : undefined;
    if (page.kind === 'schemas') {
      await harvestCatalogs.putSchemas(lease, catalog, page.names);
      return position;
    }
    const { tables, skipped } = storableTables(page.kind === 'tables' ? page.tables : []);
    if (page.kind === 'tables' && tables.length === 0) return position;
    await harvestCatalogs.putTables(lease, { catalog, after: position, tables, skipped });
    const table = tables.at(-1);
    return table === undefined ? position : { catalog, schema: table.schema, name: table.name };
  }
}
