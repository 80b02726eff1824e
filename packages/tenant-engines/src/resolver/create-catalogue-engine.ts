import type { EngineSpec } from '@sluice/engine';
import { duckDbLimits } from './create-duckdb-resolver.ts';
import type { TenantEngineSettings } from './create-engine-resolver.ts';

/** Name under which the database of a mirrored catalog is attached. No schema in it has this name. */
const ATTACHED_AS = 'catalogue';

/** Returns the DuckDB that reads the database of a tenant's mirrored catalog, and nothing else. */
export type CatalogueEngine = (tenantId: string, database: string) => EngineSpec;

/** Creates the engines of mirrored catalogs, whatever the engine of the tenant is. They have the limits of other workers. */
export const createCatalogueEngine =
  (settings: TenantEngineSettings): CatalogueEngine =>
  (tenantId, database) => ({
    kind: 'duckdb',
    key: tenantId,
    revision: database,
    profile: {
      catalogs: [{ name: ATTACHED_AS, path: database }],
      defaultCatalog: ATTACHED_AS,
      defaultSchema: 'main',
      readableFolders: [],
      ...duckDbLimits(settings),
    },
  });
