import {
  type Authenticator,
  type Clock,
  createAuthenticator,
  createCredentialVerifier,
  createKeyRing,
  createLocalKeySource,
  createLoginThrottle,
  createPasswords,
  createSecretVerifier,
  createTokenSigner,
  createTokenVerifier,
  type KeyRing,
  type PasswordCosts,
  type Passwords,
  parseMasterKey,
} from '@sluice/auth';
import { SettingsError } from '@sluice/config';
import {
  createAllowedOrigins,
  type OpenedSharedState,
  openSharedState,
  type Resources,
  tryAtStart,
} from '@sluice/host';
import { type AllowedOrigins, createLifecycle, type Lifecycle, type Route } from '@sluice/http';
import {
  createEvents,
  createLogger,
  createMetrics,
  type Events,
  type Logger,
  type Metrics,
} from '@sluice/observability';
import { chooseEngines, openWorkers, TenantEngines } from '@sluice/tenant-engines';
import { type AuditServices, createAuditServices } from './audit-services.ts';
import type { ApiHostSettings } from './config.ts';
import { type Harvests, openHarvests } from './open-harvests.ts';
import { openStores, type Stores } from './stores.ts';
import { createExchangeCookie } from './use-cases/auth/exchange-cookie.ts';
import { createIssueClientToken } from './use-cases/auth/issue-client-token.ts';
import { createLogIn, type LogIn } from './use-cases/auth/log-in.ts';
import { createLogOut } from './use-cases/auth/log-out.ts';
import { createRefreshTokens } from './use-cases/auth/refresh-tokens.ts';

/** What a test, or the embedded run, puts in the place of what the settings would give. */
export interface ApiHostOverrides {
  readonly log?: Logger;
  readonly now?: Clock;
  readonly passwordCosts?: PasswordCosts;
  /** Served beside the host's own. */
  readonly routes?: readonly Route[];
}

/** Everything that the routes of this host are made of. */
export interface ApiContext {
  readonly settings: ApiHostSettings;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly events: Events;
  readonly lifecycle: Lifecycle;
  readonly stores: Stores;
  readonly shared: OpenedSharedState;
  /** What this host asks of the tenants' engines. */
  readonly engines: TenantEngines;
  readonly harvests: Harvests;
  readonly keyRing: KeyRing;
  readonly authenticator: Authenticator;
  readonly passwords: Passwords;
  readonly now: Clock;
  readonly allowedOrigins: AllowedOrigins;
  readonly logIn: LogIn;
  readonly refreshTokens: ReturnType<typeof createRefreshTokens>;
  readonly issueClientToken: ReturnType<typeof createIssueClientToken>;
  readonly exchangeCookie: ReturnType<typeof createExchangeCookie>;
  readonly logOut: ReturnType<typeof createLogOut>;
  readonly auditServices: AuditServices;
}

/** A key is published so long before it signs. */
const KEY_LEAD_MS = 86_400_000;
/** Beyond a token's own life: the tolerance for clocks, and some. */
const KEY_MARGIN_MS = 300_000;

const masterKeyOf = ({ masterKey }: ApiHostSettings): Uint8Array => {
  try {
    return parseMasterKey(masterKey.reveal());
  } catch (thrown) {
    throw new SettingsError([`SLUICE_MASTER_KEY ${thrown instanceof Error ? thrown.message : 'is not valid'}`]);
  }
};

interface ProofParts {
  readonly settings: ApiHostSettings;
  readonly stores: Stores;
  readonly events: Events;
  readonly overrides: ApiHostOverrides;
}

const createProofs = async ({ settings, stores, events, overrides }: ProofParts) => {
  const { now = Date.now } = overrides;
  const { issuerTemplate, audience, tokenLifetimeMs } = settings;
  const schedule = { signMs: settings.keySigningMs, leadMs: KEY_LEAD_MS, tokenMs: tokenLifetimeMs + KEY_MARGIN_MS };
  const masterKey = masterKeyOf(settings);
  const keyRing = await createKeyRing({ store: stores.signingKeys, masterKey, schedule, now });
  const tokens = createTokenVerifier({ issuerTemplate, audience, keys: createLocalKeySource(keyRing), now });
  const lifetimeSeconds = Math.floor(tokenLifetimeMs / 1000);
  const signer = createTokenSigner({ issuerTemplate, audience, keys: keyRing, lifetimeSeconds, now });
  const passwords = createPasswords(overrides.passwordCosts);
  const secrets = createSecretVerifier({
    standings: stores.standings,
    throttle: createLoginThrottle(stores.throttles),
    passwords,
    audit: stores.audit,
    onFailed: ({ tenantName, name, origin }) =>
      events.authentication('login_failed', {
        tenant: tenantName,
        user: name,
        requestId: origin.requestId,
        address: origin.address,
      }),
    now,
  });
  return { keyRing, tokens, signer, secrets, passwords, now };
};

type Proofs = Awaited<ReturnType<typeof createProofs>>;

const createUseCases = (settings: ApiHostSettings, stores: Stores, proofs: Proofs & { readonly events: Events }) => {
  const { signer, secrets, tokens, now, events } = proofs;
  const { sessions, standings } = stores;
  const { sessionLifetimeMs, tokenLifetimeMs } = settings;
  return {
    logIn: createLogIn({ secrets, sessions, signer, sessionLifetimeMs, now }),
    refreshTokens: createRefreshTokens({
      refreshTokens: stores.refreshTokens,
      standings,
      signer,
      onReuse: ({ tenant, origin }) =>
        events.authentication('refresh_token_reused', { tenant: tenant.name, requestId: origin.requestId }),
    }),
    issueClientToken: createIssueClientToken({ secrets, sessions, signer, tokenLifetimeMs, now }),
    exchangeCookie: createExchangeCookie({ sessions, refreshTokens: stores.refreshTokens, standings, signer }),
    logOut: createLogOut({ sessions, standings, tokens }),
  };
};

/** A statement that is only described needs a worker for milliseconds; a catalog that is listed keeps one. */
const WORKER_WAIT_MS = 10_000;

interface EngineParts {
  readonly log: Logger;
  readonly resources: Resources;
}

function openEngines(settings: ApiHostSettings, { log, resources }: EngineParts): TenantEngines {
  const workers = openWorkers({
    settings,
    workersMax: settings.workersMax,
    workersWarm: 0,
    queueTimeoutMs: WORKER_WAIT_MS,
    onTrouble: (message) => log.warn({ event: 'query_worker_trouble' }, message),
  });
  return new TenantEngines(chooseEngines(settings), resources.add(workers));
}

/** Opens what the host needs; `resources` closes it. Throws when the database is down or the master key is another. */
export async function createContext(
  settings: ApiHostSettings,
  overrides: ApiHostOverrides,
  resources: Resources,
): Promise<ApiContext> {
  const log = overrides.log ?? createLogger({ service: 'sluice-api', level: settings.logLevel });
  const metrics = createMetrics('sluice-api');
  const events = createEvents({ log, metrics });
  const lifecycle = createLifecycle();
  const stores = openStores(settings, resources);
  const shared = openSharedState({ settings, service: 'sluice-api', log });
  resources.add(shared.state);
  // Its sentence says what is wrong with the database; the key ring's first statement would not.
  await tryAtStart(() => stores.database.ping());
  const engines = openEngines(settings, { log, resources });
  const proofs = await createProofs({ settings, stores, events, overrides });
  const credentials = createCredentialVerifier({
    tokens: proofs.tokens,
    standings: stores.standings,
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
    shared,
    engines,
    harvests: resources.add(openHarvests({ settings, stores, engines, log })),
    keyRing: proofs.keyRing,
    authenticator: createAuthenticator(credentials),
    passwords: proofs.passwords,
    now: proofs.now,
    allowedOrigins: createAllowedOrigins({
      tenantOrigins: settings.tenantOrigins ?? [],
      allowsLoopback: settings.allowsLoopbackOrigins,
    }),
    ...createUseCases(settings, stores, { ...proofs, events }),
    auditServices: createAuditServices({
      settings,
      stores,
      values: shared.state.values,
      log,
      now: proofs.now,
      isServing: () => lifecycle.state === 'serving',
    }),
  };
}
