import type { ApiClient } from './api-client.ts';
import type { DemoDomain } from './demo-domains.ts';

/** Returns the ids of the demo's domains in the tenant, without those that a user renamed or removed. */
export async function findDomainIds(api: ApiClient): Promise<ReadonlyMap<DemoDomain, string>> {
  const { data } = await api.get<{ data: { id: string; name: string }[] }>('/domains?size=1000');
  return new Map(data.map(({ id, name }) => [name as DemoDomain, id]));
}
