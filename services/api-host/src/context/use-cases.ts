import { type CatalogUseCases, createCatalogUseCases } from './catalog-use-cases.ts';
import type { ApiContext } from './context.ts';
import { createDatamapUseCases, type DatamapUseCases } from './datamap-use-cases.ts';
import { createIdentityUseCases, type IdentityUseCases } from './identity-use-cases.ts';

/** The finished use-cases that the routes of this host call. */
export interface UseCases extends IdentityUseCases, CatalogUseCases, DatamapUseCases {}

export const createUseCases = (context: ApiContext): UseCases => ({
  ...createIdentityUseCases(context),
  ...createCatalogUseCases(context),
  ...createDatamapUseCases(context),
});
