import type { ApiClient } from './api-client.ts';
import type { DemoDomain } from './demo-domains.ts';

/** Ids of the domains that the tenant has; one that somebody renamed or removed is not among them. */
export async function findDomainIds(api: ApiClient): Promise<ReadonlyMap<DemoDomain, string>> {
  const { data } = await api.get<{ data: { id: string; name: string }[] }>('/domains?size=1000');
  return new Map(data.map(({ id, name }) => [name as DemoDomain, id]));
}
