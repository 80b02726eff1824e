import { createFilesReportReader } from '@sluice/tenant-engines';
import {
  createFindTable,
  createListCatalogs,
  createListFiles,
  createListSchemas,
  createListTables,
} from '../use-cases/catalog/browse-catalog.ts';
import { createExportMetadata } from '../use-cases/catalog/export-metadata.ts';
import type { ApiContext } from './context.ts';

/** The finished use-cases of the catalog. */
export type CatalogUseCases = ReturnType<typeof createCatalogUseCases>;

export const createCatalogUseCases = ({
  settings,
  stores,
  credentials,
}: Pick<ApiContext, 'settings' | 'stores' | 'credentials'>) => ({
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
});
