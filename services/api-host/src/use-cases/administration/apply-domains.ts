import type { AppliedChange, Configuration } from '@sluice/contract';
import { createChangeDomains, presentDomain } from '../catalog/change-domains.ts';
import { appliedChange } from './applied-change.ts';
import type { ContentStep } from './apply-datamaps.ts';

/** Brings domains to what a file says, each by its name, whatever the case. */
export async function applyDomains(
  { content: { domains }, caller }: Pick<ContentStep, 'content' | 'caller'>,
  { domains: wanted = [] }: Configuration,
): Promise<readonly AppliedChange[]> {
  const change = createChangeDomains(domains);
  const changes: AppliedChange[] = [];
  for (const { name, description } of wanted) {
    const before = await domains.findByName(caller.principal.tenant.id, name);
    const was = presentDomain(before ?? null);
    const after = { name, description: description === undefined ? (was?.description ?? null) : description || null };
    const told = { kind: 'domain', name, before: was, after } as const;
    if (before === undefined) {
      await change.create(caller, after);
      changes.push(appliedChange({ ...told, action: 'create' }));
    } else if (before.name === after.name && before.description === after.description) {
      changes.push(appliedChange({ ...told, action: 'none' }));
    } else {
      await change.update(caller, { id: before.id, version: undefined }, after);
      changes.push(appliedChange({ ...told, action: 'update' }));
    }
  }
  return changes;
}
