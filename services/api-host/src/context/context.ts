import {
  type Authenticator,
  type Clock,
  createAuthenticator,
  createCredentialVerifier,
  type PasswordCosts,
} from '@sluice/auth';
import {
  checkSharedState,
  createAllowedOrigins,
  createDurableWriteCheck,
  type DurableWriteCheck,
  type OpenedSharedState,
  openHostTracer,
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
  type Tracer,
} from '@sluice/observability';
import { openTenantEngines, type TenantEngines } from '@sluice/tenant-engines';
import type { ApiHostSettings } from '../config.ts';
import { builtConsoleFolder } from '../pages/console-files.ts';
import { RefusalRecords } from '../use-cases/identity/refusal-records.ts';
import { type AuditServices, createAuditServices } from './audit-services.ts';
import { type Credentials, createCredentials } from './credentials.ts';
import { mailSettingsOf } from './mail-settings-of.ts';
import { type Harvests, openHarvests } from './open-harvests.ts';
import { type Mails, openMails } from './open-mails.ts';
import { type MetadataImports, openMetadataImports } from './open-metadata-imports.ts';
import { openStores, type Stores } from './stores.ts';

/** Replacements that a test or the embedded launcher passes for parts that the settings configure. */
export interface ApiHostOverrides {
  readonly log?: Logger;
  readonly now?: Clock;
  readonly passwordCosts?: PasswordCosts;
  /** Served in addition to the routes of this host. */
  readonly routes?: readonly Route[];
  /** Folder of the built console. Default: that of this build. */
  readonly consoleFolder?: string;
}

/** Resources of this host, from which its use-cases are built. */
export interface ApiContext {
  readonly settings: ApiHostSettings;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly events: Events;
  readonly tracer: Tracer;
  readonly lifecycle: Lifecycle;
  readonly stores: Stores;
  readonly durableWrites: DurableWriteCheck;
  readonly shared: OpenedSharedState;
  readonly engines: TenantEngines;
  readonly harvests: Harvests;
  readonly metadataImports: MetadataImports;
  readonly mails: Mails;
  readonly credentials: Credentials;
  readonly authenticator: Authenticator;
  readonly now: Clock;
  readonly allowedOrigins: AllowedOrigins;
  /** Records of refused requests of programs. */
  readonly refusals: RefusalRecords;
  readonly auditServices: AuditServices;
  /** Folder of the built console. */
  readonly consoleFolder: string;
}

interface EngineDependencies {
  readonly log: Logger;
  readonly resources: ResourceStack;
}

const openEngines = (settings: ApiHostSettings, { log, resources }: EngineDependencies): TenantEngines =>
  openTenantEngines({
    settings,
    workersMax: settings.workersMax,
    describeTimeMs: settings.describeTimeMs,
    onWarning: (message) => log.warn({ event: 'query_worker_failed' }, message),
    resources,
  });

/**
 * Opens the resources of the host; `resources` closes them. Throws if the database is down, the master key is not the one of the database, or
 * the settings of mails are incomplete.
 */
export async function createContext(
  settings: ApiHostSettings,
  overrides: ApiHostOverrides,
  resources: ResourceStack,
): Promise<ApiContext> {
  const mailSettings = mailSettingsOf(settings);
  const log = overrides.log ?? createLogger({ service: 'sluice-api', level: settings.logLevel });
  const metrics = createMetrics('sluice-api');
  const events = createEvents({ log, metrics });
  const tracer = resources.add(await openHostTracer({ settings, service: 'sluice-api', log }));
  const lifecycle = createLifecycle();
  const stores = openStores(settings, { metrics, resources });
  await checkSharedState(settings);
  const shared = openSharedState({ settings, service: 'sluice-api', log });
  resources.add(shared.state);
  // `ping` fails with a sentence about the database; the first statement of the key ring would not.
  await retryAtStartup(() => stores.database.ping());
  const engines = openEngines(settings, { log, resources });
  const credentials = await createCredentials({ settings, stores, events, overrides, resources });
  const verifier = createCredentialVerifier({
    tokens: credentials.tokens,
    authStatus: stores.authStatus,
    secrets: credentials.secrets,
    tenantNameDefault: settings.tenantNameDefault,
  });
  return {
    settings,
    log,
    metrics,
    events,
    tracer,
    lifecycle,
    stores,
    durableWrites: createDurableWriteCheck(stores),
    shared,
    engines,
    harvests: resources.add(openHarvests({ settings, stores, engines, log })),
    metadataImports: resources.add(openMetadataImports({ settings, stores, log })),
    mails: resources.add(openMails({ settings, mailSettings, stores, events, log })),
    credentials,
    authenticator: createAuthenticator(verifier),
    now: credentials.now,
    refusals: new RefusalRecords({ audit: stores.audit, now: credentials.now }),
    consoleFolder: overrides.consoleFolder ?? builtConsoleFolder(),
    allowedOrigins: createAllowedOrigins({
      tenantOrigins: settings.tenantOrigins ?? [],
      allowsLoopback: settings.allowsLoopbackOrigins,
    }),
    auditServices: createAuditServices({
      settings,
      stores,
      values: shared.state.values,
      valueSeal: credentials.valueSeal,
      nameDigest: credentials.nameDigest,
      log,
      events,
      now: credentials.now,
      isServing: () => lifecycle.state === 'serving',
    }),
  };
}
