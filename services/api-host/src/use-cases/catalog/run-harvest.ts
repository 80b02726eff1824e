import { asProblem, type ProblemError, type Tenant } from '@sluice/contract';
import type { CatalogPage, CatalogPosition } from '@sluice/engine';
import type { HarvestCatalogStore, HarvestLease, HarvestReference, HarvestRunStore } from '@sluice/store/catalog';
import type { TenantStore } from '@sluice/store/identity';
import type { TenantEngines } from '@sluice/tenant-engines';
import { keepLease } from './keep-lease.ts';
import { storableTables } from './storable-tables.ts';

export interface RunHarvestDependencies {
  readonly tenants: Pick<TenantStore, 'findById'>;
  readonly harvestRuns: HarvestRunStore;
  readonly harvestCatalogs: HarvestCatalogStore;
  readonly engines: Pick<TenantEngines, 'catalog' | 'sourceOf'>;
  /** Whom the engine is told that it lists its catalogs for. */
  readonly harvestUser: string;
  /** How long a run is ours without a word of ours; others take it when that is over. */
  readonly leaseMs: number;
}

/**
 * Works on one run until it is over. Whoever comes second finds it held and leaves at once. When `signal` aborts, the run waits
 * for another host, which goes on behind the last page that was written; the signal's reason is thrown.
 */
export const createRunHarvest =
  (dependencies: RunHarvestDependencies) =>
  async (run: HarvestReference, signal: AbortSignal): Promise<void> => {
    const { tenants, harvestRuns, leaseMs } = dependencies;
    const tenant = await tenants.findById(run.tenantId);
    if (tenant === undefined) return;
    const claimed = await harvestRuns.claim(run, leaseMs);
    if (claimed === undefined) return;
    const { lease, after } = claimed;
    await using kept = keepLease({ hold: () => harvestRuns.renew(lease, leaseMs), everyMs: leaseMs / 3 });
    const stop = AbortSignal.any([signal, kept.lost]);
    try {
      const failures = await mirror(dependencies, { tenant, lease, after, signal: stop });
      await harvestRuns.finish(lease, failures);
    } catch (thrown) {
      if (kept.lost.aborted) return; // whoever has it now goes on
      if (signal.aborted) {
        await harvestRuns.release(lease);
        throw signal.reason;
      }
      const { code, message } = asProblem(thrown);
      // The database is away, or somebody else was quicker: the run is nobody's when the lease is over, and others find it.
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

/** Answers what catalogs could not be read, when some could not; the others are mirrored all the same. */
async function mirror(
  { engines, harvestCatalogs, harvestUser }: RunHarvestDependencies,
  { tenant, lease, after, signal }: Mirroring,
): Promise<{ code: string; message: string } | undefined> {
  const unreadable: { readonly catalog: string; readonly problem: ProblemError }[] = [];
  let last = after;
  for await (const page of engines.catalog(tenant, { user: harvestUser, after, signal })) {
    signal.throwIfAborted();
    // Settings that name no catalog are sooner a mistake than the end of all data, so what is known stays.
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
    message: `Catalogs that could not be read keep what was known of them: ${names}. ${first.problem.message}`,
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
    const behind = before?.catalog === catalog ? before : undefined;
    if (page.kind === 'schemas') {
      await harvestCatalogs.putSchemas(lease, catalog, page.names);
      return behind;
    }
    const { tables, skipped } = storableTables(page.kind === 'tables' ? page.tables : []);
    if (page.kind === 'tables' && tables.length === 0) return behind;
    await harvestCatalogs.putTables(lease, { catalog, after: behind, tables, skipped });
    const table = tables.at(-1);
    return table === undefined ? behind : { catalog, schema: table.schema, name: table.name };
  }
}
