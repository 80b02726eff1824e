import type { ResourceStack } from '@sluice/host-runtime';
import type { Metrics } from '@sluice/observability';
import { createTenantDirectory } from '@sluice/store/administration';
import {
  createAuditChainStore,
  createAuditSealStore,
  createAuditSearchStore,
  createAuditStore,
  createAuditSummaryStore,
} from '@sluice/store/audit';
import {
  createBrowseStore,
  createHarvestCatalogStore,
  createHarvestRunStore,
  createMetadataExportStore,
  createMetadataImportStore,
} from '@sluice/store/catalog';
import { createDatabase } from '@sluice/store/database';
import { createDatamapCounters, createDatamapStore } from '@sluice/store/datamaps';
import {
  createAuthorizationCodeStore,
  createAuthStatusStore,
  createClientAssertionStore,
  createDeviceAuthorizationStore,
  createDeviceStore,
  createExternalLoginStore,
  createLoginTransactionStore,
  createOAuthClientStore,
  createRefreshTokenStore,
  createSessionStore,
  createSigningKeyStore,
  createTenantStore,
  createThrottleStore,
} from '@sluice/store/identity';
import { createMailOutbox } from '@sluice/store/marketplace';
import { createCallerUseStore, createHostStore } from '@sluice/store/queries';
import { createResourceDatabase } from '@sluice/store/resources';
import type { ApiHostSettings } from '../config.ts';

export type Stores = ReturnType<typeof openStores>;

/** Separate connections that count search results. They open on demand. */
const COUNTING = {
  poolMax: 2,
  connectTimeoutMs: 20_000,
  queryTimeoutMs: 45_000,
  applicationName: 'sluice-api-counting',
};
/** Separate connection on which a harvest writes pages: no client waits for it, and a large page may be slow. */
const HARVEST = { poolMax: 1, connectTimeoutMs: 20_000, queryTimeoutMs: 60_000, applicationName: 'sluice-api-harvest' };

/** Separate connections on which imported files are applied: no client waits for a batch, and a large one may be slow. */
const METADATA_FILES = {
  poolMax: 2,
  connectTimeoutMs: 20_000,
  queryTimeoutMs: 30_000,
  applicationName: 'sluice-api-imports',
};

interface StoreDependencies {
  readonly metrics: Metrics;
  readonly resources: ResourceStack;
}

/** Opens the database of this host and all its stores. */
export function openStores(settings: ApiHostSettings, { metrics, resources }: StoreDependencies) {
  const onOperation = metrics.databaseOperationEnded;
  const url = settings.databaseUrl.reveal();
  const database = resources.add(
    createDatabase({
      url,
      poolMax: settings.databaseConnectionsMax,
      queryTimeoutMs: settings.databaseTimeoutMs,
      applicationName: 'sluice-api',
      onOperation,
    }),
  );
  const counting = resources.add(createDatabase({ url, ...COUNTING, onOperation }));
  const harvest = resources.add(createDatabase({ url, ...HARVEST, onOperation }));
  const metadataFiles = resources.add(createDatabase({ url, ...METADATA_FILES, onOperation }));
  return {
    database,
    resources: createResourceDatabase(database),
    tenants: createTenantStore(database),
    authStatus: createAuthStatusStore(database),
    directory: createTenantDirectory(database),
    sessions: createSessionStore(database),
    refreshTokens: createRefreshTokenStore(database),
    signingKeys: createSigningKeyStore(database),
    throttles: createThrottleStore(database),
    devices: createDeviceStore(database),
    logins: createLoginTransactionStore(database),
    codes: createAuthorizationCodeStore(database),
    clientAssertions: createClientAssertionStore(database),
    oauthClients: createOAuthClientStore(database),
    deviceLogins: createDeviceAuthorizationStore(database),
    externalLogins: createExternalLoginStore(database),
    audit: createAuditStore(database),
    auditChain: createAuditChainStore(database),
    auditSeals: createAuditSealStore(database),
    auditSearch: createAuditSearchStore(database),
    auditSummary: createAuditSummaryStore(database),
    callerUses: createCallerUseStore(database, settings.hostSilenceMs),
    hosts: createHostStore(database, settings.hostSilenceMs),
    harvestRuns: createHarvestRunStore(database),
    harvestCatalogs: createHarvestCatalogStore(harvest),
    importResources: createResourceDatabase(metadataFiles),
    metadataImports: createMetadataImportStore(database),
    metadataExport: createMetadataExportStore(database),
    browse: createBrowseStore(database),
    datamaps: createDatamapStore(database, counting),
    counters: createDatamapCounters(database),
    mailOutbox: createMailOutbox(database),
  };
}
