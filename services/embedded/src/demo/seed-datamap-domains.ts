import type { DatamapSearchResponse, MetadataImportResponse } from '@sluice/contract';
import { StartFailure } from '../start-failure.ts';
import type { ApiClient } from './api-client.ts';
import { DEMO_DOMAINS, type DemoDomain } from './demo-domains.ts';
import { findDomainIds } from './find-domain-ids.ts';

/**
 * Adds the demo's datamaps to their domains by one import. A datamap has no field for its domains, so the files cannot do it.
 * @throws StartFailure
 */
export async function seedDatamapDomains(api: ApiClient): Promise<void> {
  const domainIds = await findDomainIds(api);
  const { data } = await api.post<DatamapSearchResponse>('/datamap/search', { size: 1000 });
  const ids = new Map(data.map(({ id, datamap }) => [datamap.name, id]));
  const metadata_objects = Object.entries(DEMO_DOMAINS).flatMap(([domain, { datamaps }]) => {
    const domainId = domainIds.get(domain as DemoDomain);
    if (domainId === undefined || datamaps === '') return [];
    return datamaps.split(' ').map((name) => ({ type: 'DATAMAP', id: ids.get(name) ?? name, add_domains: [domainId] }));
  });
  const { metadata_results } = await api.post<MetadataImportResponse>('/metadata/import', { metadata_objects });
  const failed = metadata_results.find(({ success }) => !success);
  if (failed !== undefined) throw new StartFailure(`The import of ${failed.id} failed: ${failed.error_message}`);
}
