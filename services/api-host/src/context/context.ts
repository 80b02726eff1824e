import {
  type Authenticator,
  type Clock,
  createAuthenticator,
  createCredentialVerifier,
  type KeyRing,
  type OidcClient,
  type PasswordCosts,
  type Passwords,
  type SecretBox,
} from '@sluice/auth';
import {
  createAllowedOrigins,
  createDurableWriteCheck,
  type DurableWriteCheck,
  type OpenedSharedState,
  openSharedState,
  type ResourceStack,
  retryAtStartup,
} from '@sluice/host-runtime';
import { type AllowedOrigins, createLifecycle, type Lifecycle, type Route } from '@sluice/http';
import {
  createEvents,
  createLogger,
  createMetrics,
  type Events,
  type Logger,
  type Metrics,
} from '@sluice/observability';
import { openTenantEngines, type TenantEngines } from '@sluice/tenant-engines';
import type { ApiHostSettings } from '../config.ts';
import { type AuditServices, createAuditServices } from './audit-services.ts';
import { type AuthServices, createAuthServices } from './auth-services.ts';
import { createCredentials } from './credentials.ts';
import { type Harvests, openHarvests } from './open-harvests.ts';
import { openStores, type Stores } from './stores.ts';

/** What a test, or the embedded run, puts in the place of what the settings would give. */
export interface ApiHostOverrides {
  readonly log?: Logger;
  readonly now?: Clock;
  readonly passwordCosts?: PasswordCosts;
  /** Served beside the host's own. */
  readonly routes?: readonly Route[];
}

/** Everything that the routes of this host are made of. */
export interface ApiContext extends AuthServices {
  readonly settings: ApiHostSettings;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly events: Events;
  readonly lifecycle: Lifecycle;
  readonly stores: Stores;
  readonly durableWrites: DurableWriteCheck;
  readonly shared: OpenedSharedState;
  /** What this host asks of the tenants' engines. */
  readonly engines: TenantEngines;
  readonly harvests: Harvests;
  readonly keyRing: KeyRing;
  readonly authenticator: Authenticator;
  readonly passwords: Passwords;
  readonly oidc: OidcClient;
  readonly box: SecretBox;
  readonly now: Clock;
  readonly allowedOrigins: AllowedOrigins;
  readonly auditServices: AuditServices;
}

interface EngineParts {
  readonly log: Logger;
  readonly resources: ResourceStack;
}

const openEngines = (settings: ApiHostSettings, { log, resources }: EngineParts): TenantEngines =>
  openTenantEngines({
    settings,
    workersMax: settings.workersMax,
    describeTimeMs: settings.describeTimeMs,
    onTrouble: (message) => log.warn({ event: 'query_worker_trouble' }, message),
    resources,
  });

/** Opens what the host needs; `resources` closes it. Throws when the database is down or the master key is another. */
export async function createContext(
  settings: ApiHostSettings,
  overrides: ApiHostOverrides,
  resources: ResourceStack,
): Promise<ApiContext> {
  const log = overrides.log ?? createLogger({ service: 'sluice-api', level: settings.logLevel });
  const metrics = createMetrics('sluice-api');
  const events = createEvents({ log, metrics });
  const lifecycle = createLifecycle();
  const stores = openStores(settings, resources);
  const shared = openSharedState({ settings, service: 'sluice-api', log });
  resources.add(shared.state);
  // Its sentence says what is wrong with the database; the key ring's first statement would not.
  await retryAtStartup(() => stores.database.ping());
  const engines = openEngines(settings, { log, resources });
  const proofs = await createCredentials({ settings, stores, events, overrides, resources });
  const credentials = createCredentialVerifier({
    tokens: proofs.tokens,
    authStatus: stores.authStatus,
    secrets: proofs.secrets,
    tenantNameDefault: settings.tenantNameDefault,
  });
  return {
    settings,
    log,
    metrics,
    events,
    lifecycle,
    stores,
    durableWrites: createDurableWriteCheck(stores),
    shared,
    engines,
    harvests: resources.add(openHarvests({ settings, stores, engines, log })),
    keyRing: proofs.keyRing,
    authenticator: createAuthenticator(credentials),
    passwords: proofs.passwords,
    oidc: proofs.oidc,
    box: proofs.box,
    now: proofs.now,
    allowedOrigins: createAllowedOrigins({
      tenantOrigins: settings.tenantOrigins ?? [],
      allowsLoopback: settings.allowsLoopbackOrigins,
    }),
    ...createAuthServices(settings, { stores, proofs, events }),
    auditServices: createAuditServices({
      settings,
      stores,
      values: shared.state.values,
      valueSeal: proofs.valueSeal,
      nameDigest: proofs.nameDigest,
      log,
      now: proofs.now,
      isServing: () => lifecycle.state === 'serving',
    }),
  };
}
