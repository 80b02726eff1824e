import { IMPORT_OBJECTS_MAX, type MetadataImportResponse } from '@sluice/contract';
import { StartFailure } from '../start-failure.ts';
import type { ApiClient } from './api-client.ts';
import { metadataOf } from './demo-metadata.ts';
import type { DemoPackage } from './demo-table.ts';
import { findDomainIds } from './find-domain-ids.ts';

/**
 * Gives the demo's tables their publisher's descriptions, with tags and domains, in as few imports as there can be.
 * @throws StartFailure when a table or column that the package describes is not there
 */
export async function seedMetadata(api: ApiClient, demo: DemoPackage): Promise<void> {
  const domainIds = await findDomainIds(api);
  for (let start = 0; start < demo.tables.length; start += IMPORT_OBJECTS_MAX) {
    const tables = demo.tables.slice(start, start + IMPORT_OBJECTS_MAX);
    const metadata_objects = tables.map((table) => metadataOf(table, domainIds));
    const { metadata_results } = await api.post<MetadataImportResponse>('/metadata/import', { metadata_objects });
    const failed = metadata_results.find(({ success }) => !success);
    if (failed !== undefined) throw new StartFailure(`The demo's ${failed.id} was refused: ${failed.error_message}`);
  }
}
