import type { Resources } from '@sluice/host';
import {
  createAuditChainStore,
  createAuditSealStore,
  createAuditSearchStore,
  createAuditStore,
  createDatabase,
  createDatamapCounters,
  createDatamapStore,
  createDomainStore,
  createHarvestCatalogStore,
  createHarvestRunStore,
  createHostStore,
  createMetadataStore,
  createRefreshTokenStore,
  createSessionStore,
  createSigningKeyStore,
  createStandingStore,
  createTenantStore,
  createThrottleStore,
} from '@sluice/store';
import type { ApiHostSettings } from './config.ts';

export type Stores = ReturnType<typeof openStores>;

/** The database of this host and every store that it uses. */
export function openStores(settings: ApiHostSettings, resources: Resources) {
  const database = resources.add(
    createDatabase({
      url: settings.databaseUrl.reveal(),
      poolMax: settings.databaseConnectionsMax,
      queryTimeoutMs: settings.databaseTimeoutMs,
      applicationName: 'sluice-api',
    }),
  );
  return {
    database,
    tenants: createTenantStore(database),
    standings: createStandingStore(database),
    sessions: createSessionStore(database),
    refreshTokens: createRefreshTokenStore(database),
    signingKeys: createSigningKeyStore(database),
    throttles: createThrottleStore(database),
    audit: createAuditStore(database),
    auditChain: createAuditChainStore(database),
    auditSeals: createAuditSealStore(database),
    auditSearch: createAuditSearchStore(database),
    hosts: createHostStore(database),
    harvestRuns: createHarvestRunStore(database),
    harvestCatalogs: createHarvestCatalogStore(database),
    metadata: createMetadataStore(database),
    domains: createDomainStore(database),
    datamaps: createDatamapStore(database),
    counters: createDatamapCounters(database),
  };
}
