import type { AppliedChange, Configuration } from '@sluice/contract';
import { createCreateDomain, createUpdateDomain, presentDomain } from '../catalog/change-domains.ts';
import { appliedChange } from './applied-change.ts';
import type { ContentStep } from './apply-datamaps.ts';

/** Creates or updates the domains of a file. A domain is found by its name, without regard to case. */
export async function applyDomains(
  { content: { domains }, caller }: Pick<ContentStep, 'content' | 'caller'>,
  { domains: wanted = [] }: Configuration,
): Promise<readonly AppliedChange[]> {
  const createDomain = createCreateDomain({ domains });
  const updateDomain = createUpdateDomain({ domains });
  const changes: AppliedChange[] = [];
  for (const { name, description } of wanted) {
    const before = await domains.findByName(caller.principal.tenant.id, name);
    const contentBefore = presentDomain(before ?? null);
    const after = {
      name,
      description: description === undefined ? (contentBefore?.description ?? null) : description || null,
    };
    const change = { kind: 'domain', name, before: contentBefore, after } as const;
    if (before === undefined) {
      await createDomain(caller, after);
      changes.push(appliedChange({ ...change, action: 'create' }));
    } else if (before.name === after.name && before.description === after.description) {
      changes.push(appliedChange({ ...change, action: 'none' }));
    } else {
      await updateDomain(caller, { target: { id: before.id, version: undefined }, content: after });
      changes.push(appliedChange({ ...change, action: 'update' }));
    }
  }
  return changes;
}
