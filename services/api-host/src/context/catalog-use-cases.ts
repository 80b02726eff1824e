import { createCreateDomain, createRemoveDomain, createUpdateDomain } from '../use-cases/catalog/change-domains.ts';
import { createFindDomain, createFindDomains } from '../use-cases/catalog/find-domains.ts';
import { createAuthorizeImport, createImportMetadata } from '../use-cases/catalog/import-metadata.ts';
import { createListHarvests } from '../use-cases/catalog/list-harvests.ts';
import { createStartHarvest } from '../use-cases/catalog/start-harvest.ts';
import type { ApiContext } from './context.ts';

/** The finished use-cases of domains, metadata imports and harvests. */
export type CatalogUseCases = ReturnType<typeof createCatalogUseCases>;

export const createCatalogUseCases = ({ stores, harvests }: Pick<ApiContext, 'stores' | 'harvests'>) => ({
  findDomains: createFindDomains(stores),
  findDomain: createFindDomain(stores),
  createDomain: createCreateDomain(stores),
  updateDomain: createUpdateDomain(stores),
  removeDomain: createRemoveDomain(stores),
  authorizeImport: createAuthorizeImport(stores),
  importMetadata: createImportMetadata(stores),
  startHarvest: createStartHarvest({ harvestRuns: stores.harvestRuns, enqueue: harvests.enqueue }),
  listHarvests: createListHarvests(stores),
});
