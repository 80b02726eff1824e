import { createFilesReportReader } from '@sluice/tenant-engines';
import {
  createFindTable,
  createListCatalogs,
  createListFiles,
  createListSchemas,
  createListTables,
} from '../use-cases/catalog/browse-catalog.ts';
import { createExportMetadata } from '../use-cases/catalog/export-metadata.ts';
import {
  createCancelMetadataImport,
  createFindMetadataImport,
  createReportMetadataImport,
} from '../use-cases/catalog/find-metadata-import.ts';
import { createStartMetadataImport } from '../use-cases/catalog/start-metadata-import.ts';
import type { ApiContext } from './context.ts';

/** The finished use-cases of the catalog and of metadata imports. */
export type CatalogUseCases = ReturnType<typeof createCatalogUseCases>;

export const createCatalogUseCases = ({
  settings,
  stores,
  metadataImports,
  credentials,
}: Pick<ApiContext, 'settings' | 'stores' | 'metadataImports' | 'credentials'>) => ({
  listCatalogs: createListCatalogs({ ...stores, pageTokens: credentials.pageTokens }),
  listFiles: createListFiles({
    ...stores,
    pageTokens: credentials.pageTokens,
    filesReport: createFilesReportReader(settings),
  }),
  listSchemas: createListSchemas({ ...stores, pageTokens: credentials.pageTokens }),
  listTables: createListTables({ ...stores, pageTokens: credentials.pageTokens }),
  findTable: createFindTable(stores),
  exportMetadata: createExportMetadata(stores),
  startMetadataImport: createStartMetadataImport({
    metadataImports: stores.metadataImports,
    enqueue: metadataImports.enqueue,
  }),
  findMetadataImport: createFindMetadataImport(stores),
  cancelMetadataImport: createCancelMetadataImport(stores),
  reportMetadataImport: createReportMetadataImport(stores),
});
