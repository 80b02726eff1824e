import type { DatamapRecord, DatamapSearchResponse } from '@sluice/contract';
import type { ApiClient } from './api-client.ts';
import { type DemoItem, GRANTED_ROLES } from './demo-items.ts';

interface Hosts {
  readonly api: ApiClient;
  readonly stream: ApiClient;
}

/**
 * Makes a tenant's items that are missing, each with published datamaps of its own and a grant to every role that may download.
 * What a start that was cut has made is found again.
 * @throws StartFailure
 */
export async function seedItems(hosts: Hosts, items: readonly DemoItem[]): Promise<void> {
  const { data } = await hosts.stream.get<{ data: { id: string }[] }>('/marketplace?size=100');
  const present = new Set(data.map(({ id }) => id));
  for (const item of items) if (!present.has(item.id)) await makeItem(hosts, item);
}

async function makeItem({ api, stream }: Hosts, { queries: statements, ...told }: DemoItem): Promise<void> {
  const queries: object[] = [];
  for (const [name, sql] of Object.entries(statements)) {
    const datamap = { name: `${told.title}: ${name}`, description: told.description, sql };
    queries.push({ name, datamap_id: await publish(api, datamap) });
  }
  await stream.post('/marketplace', { ...told, queries });
  await stream.put(`/marketplace/${told.id}/grants`, {
    grants: GRANTED_ROLES.map((name) => ({ kind: 'role', name })),
  });
}

async function publish(api: ApiClient, content: { readonly name: string }): Promise<string> {
  const found = await api.post<DatamapSearchResponse>('/datamap/search', { q: content.name, size: 100 });
  const own = found.data.find(({ datamap }) => datamap.name === content.name);
  const { id, datamap } = own ?? (await api.post<DatamapRecord>('/datamap', content));
  if (datamap.state !== 'PUBLISHED') await api.post(`/datamap/${id}/publish`);
  return id;
}
