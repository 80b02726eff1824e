import { auditOf, type Caller } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { HarvestRun, HarvestRunStore } from '@sluice/store/catalog';

interface ListHarvestsDependencies {
  readonly harvestRuns: Pick<HarvestRunStore, 'list'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

/** Returns the latest runs of the tenant. Fails if the read cannot be recorded. */
type ListHarvests = (caller: Caller) => Promise<readonly HarvestRun[]>;

const RUNS_MAX = 20;

export const createListHarvests =
  ({ harvestRuns, audit }: ListHarvestsDependencies): ListHarvests =>
  async (caller) => {
    const runs = await harvestRuns.list(caller.principal.tenant.id, RUNS_MAX);
    await audit.append(auditOf(caller, { action: 'READ_HARVESTS', target: 'harvests' }));
    return runs;
  };
