import type { AuditStore, HarvestRun, HarvestRunStore } from '@sluice/store';
import { auditOf, type Caller } from '../audit-of.ts';

export interface ListHarvestsDependencies {
  readonly harvestRuns: Pick<HarvestRunStore, 'list'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

const RUNS_MAX = 20;

export const createListHarvests =
  ({ harvestRuns, audit }: ListHarvestsDependencies) =>
  async (caller: Caller): Promise<readonly HarvestRun[]> => {
    const runs = await harvestRuns.list(caller.principal.tenant.id, RUNS_MAX);
    await audit.append(auditOf(caller, { action: 'READ_HARVESTS', target: 'harvests' }));
    return runs;
  };
