import type { AppliedChange, Configuration } from '@sluice/contract';
import type { TenantTransaction } from '@sluice/store/resources';
import { createDomain, presentDomainContent, updateDomain } from '../../catalog/domains.ts';
import { appliedChange } from './applied-change.ts';

/** Creates or updates the domains of a file. A domain is found by its name, without regard to case. */
export async function applyDomains(
  tx: TenantTransaction,
  { domains: wanted = [] }: Configuration,
): Promise<readonly AppliedChange[]> {
  const changes: AppliedChange[] = [];
  for (const { name, description } of wanted) {
    const before = await tx.domains.findByName(name);
    const contentBefore = presentDomainContent(before ?? null);
    const after = {
      name,
      description: description === undefined ? (contentBefore?.description ?? null) : description || null,
    };
    const change = { kind: 'domain', name, before: contentBefore, after } as const;
    if (before === undefined) {
      await createDomain(tx, after);
      changes.push(appliedChange({ ...change, action: 'create' }));
    } else if (before.name === after.name && before.description === after.description) {
      changes.push(appliedChange({ ...change, action: 'none' }));
    } else {
      await updateDomain(tx, { id: before.id, version: undefined }, after);
      changes.push(appliedChange({ ...change, action: 'update' }));
    }
  }
  return changes;
}
