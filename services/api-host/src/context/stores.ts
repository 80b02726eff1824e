import type { ResourceStack } from '@sluice/host-runtime';
import { createAdministrationStore, createOperatorStore } from '@sluice/store/administration';
import {
  createAuditChainStore,
  createAuditSealStore,
  createAuditSearchStore,
  createAuditStore,
} from '@sluice/store/audit';
import {
  createDomainStore,
  createHarvestCatalogStore,
  createHarvestRunStore,
  createMetadataStore,
} from '@sluice/store/catalog';
import { createDatabase } from '@sluice/store/database';
import { createDatamapCounters, createDatamapStore } from '@sluice/store/datamaps';
import {
  createAuthStatusStore,
  createDeviceStore,
  createLoginTransactionStore,
  createRefreshTokenStore,
  createSessionStore,
  createSigningKeyStore,
  createTenantStore,
  createThrottleStore,
} from '@sluice/store/identity';
import { createHostStore } from '@sluice/store/queries';
import type { ApiHostSettings } from '../config.ts';

export type Stores = ReturnType<typeof openStores>;

/** What searches find is counted on so many connections of its own, which open when they are needed. */
const COUNTING = {
  poolMax: 2,
  connectTimeoutMs: 20_000,
  queryTimeoutMs: 45_000,
  applicationName: 'sluice-api-counting',
};
/** A harvest writes pages on one of its own: nobody waits for an answer, and a large page may take long. */
const HARVEST = { poolMax: 1, connectTimeoutMs: 20_000, queryTimeoutMs: 60_000, applicationName: 'sluice-api-harvest' };

/** The database of this host and every store that it uses. */
export function openStores(settings: ApiHostSettings, resources: ResourceStack) {
  const url = settings.databaseUrl.reveal();
  const database = resources.add(
    createDatabase({
      url,
      poolMax: settings.databaseConnectionsMax,
      queryTimeoutMs: settings.databaseTimeoutMs,
      applicationName: 'sluice-api',
    }),
  );
  const counting = resources.add(createDatabase({ url, ...COUNTING }));
  const harvest = resources.add(createDatabase({ url, ...HARVEST }));
  return {
    database,
    tenants: createTenantStore(database),
    authStatus: createAuthStatusStore(database),
    administration: createAdministrationStore(database),
    operator: createOperatorStore(database),
    sessions: createSessionStore(database),
    refreshTokens: createRefreshTokenStore(database),
    signingKeys: createSigningKeyStore(database),
    throttles: createThrottleStore(database),
    devices: createDeviceStore(database),
    logins: createLoginTransactionStore(database),
    audit: createAuditStore(database),
    auditChain: createAuditChainStore(database),
    auditSeals: createAuditSealStore(database),
    auditSearch: createAuditSearchStore(database),
    hosts: createHostStore(database),
    harvestRuns: createHarvestRunStore(database),
    harvestCatalogs: createHarvestCatalogStore(harvest),
    metadata: createMetadataStore(database),
    domains: createDomainStore(database),
    datamaps: createDatamapStore(database, counting),
    counters: createDatamapCounters(database),
  };
}
