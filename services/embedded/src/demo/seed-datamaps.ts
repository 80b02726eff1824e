import type { DatamapRecord, DatamapSearchResponse, MetadataImportResponse } from '@sluice/contract';
import { StartFailure } from '../start-failure.ts';
import type { ApiClient } from './api-client.ts';
import { DEMO_DATAMAPS, DEMO_DRAFT, type DemoDatamap } from './demo-datamaps.ts';

const findByName = async (api: ApiClient, name: string): Promise<DatamapRecord | undefined> => {
  const { data } = await api.post<DatamapSearchResponse>('/datamap/search', {
    q: name.replaceAll('_', ' '),
    size: 100,
  });
  return data.find(({ datamap }) => datamap.name === name);
};

const make = async (api: ApiClient, { domain: _domain, ...content }: DemoDatamap): Promise<string> => {
  const { id, datamap } = (await findByName(api, content.name)) ?? (await api.post<DatamapRecord>('/datamap', content));
  const isDue = datamap.state !== 'PUBLISHED' && content.name !== DEMO_DRAFT;
  if (isDue) await api.post(`/datamap/${id}/publish`);
  return id;
};

/**
 * Makes the demo's datamaps, and puts each into its domain by one import. What a start that was cut has made is found again.
 * @throws StartFailure
 */
export async function seedDatamaps(api: ApiClient): Promise<void> {
  const { data } = await api.get<{ data: { id: string; name: string }[] }>('/domains?size=1000');
  const domains = new Map(data.map(({ id, name }) => [name.toLowerCase(), id]));
  const metadata_objects: object[] = [];
  for (const datamap of DEMO_DATAMAPS) {
    const id = await make(api, datamap);
    const domain = domains.get(datamap.domain.toLowerCase());
    if (domain !== undefined) metadata_objects.push({ type: 'DATAMAP', id, add_domains: [domain] });
  }
  const { metadata_results } = await api.post<MetadataImportResponse>('/metadata/import', { metadata_objects });
  const failed = metadata_results.find(({ success }) => !success);
  if (failed !== undefined) throw new StartFailure(`The demo's ${failed.id} was refused: ${failed.error_message}`);
}
