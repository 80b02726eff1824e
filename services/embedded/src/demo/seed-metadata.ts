import { IMPORT_OBJECTS_MAX, type MetadataImportResponse } from '@sluice/contract';
import { StartFailure } from '../start-failure.ts';
import type { ApiClient } from './api-client.ts';
import { metadataOf } from './demo-metadata.ts';
import type { DemoPackage } from './demo-table.ts';
import { findDomainIds } from './find-domain-ids.ts';

/**
 * Imports the publisher's descriptions of the demo's tables, with tags and domains, in as few requests as possible.
 * @throws StartFailure when a described table or column does not exist
 */
export async function seedMetadata(api: ApiClient, demo: DemoPackage): Promise<void> {
  const domainIds = await findDomainIds(api);
  for (let start = 0; start < demo.tables.length; start += IMPORT_OBJECTS_MAX) {
    const tables = demo.tables.slice(start, start + IMPORT_OBJECTS_MAX);
    const metadata_objects = tables.map((table) => metadataOf(table, domainIds));
    const { metadata_results } = await api.post<MetadataImportResponse>('/metadata/import', { metadata_objects });
    const failed = metadata_results.find(({ success }) => !success);
    if (failed !== undefined) throw new StartFailure(`The import of ${failed.id} failed: ${failed.error_message}`);
  }
}
