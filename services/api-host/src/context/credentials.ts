import {
  apiAudienceOf,
  type Clock,
  createKeyRing,
  createLocalKeySource,
  createLoginThrottle,
  createNameDigest,
  createPageTokens,
  createPasswords,
  createSecretBox,
  createSecretVerifier,
  createTokenSigner,
  createTokenVerifier,
  createValueSeal,
  deriveNameKey,
  openClientDocuments,
  openClientKeySource,
  openOidcClient,
  type PasswordCosts,
  parseNameKey,
} from '@sluice/auth';
import { SettingsError } from '@sluice/config';
import type { ResourceStack } from '@sluice/host-runtime';
import type { Events } from '@sluice/observability';
import type { ApiHostSettings } from '../config.ts';
import { masterKeysOf } from './master-keys-of.ts';
import type { Stores } from './stores.ts';

/** Time for which a key is published before it signs. */
const KEY_LEAD_MS = 86_400_000;
/** Added to the lifetime of a token: the tolerance for clock skew, and some reserve. */
const KEY_MARGIN_MS = 300_000;

const nameKeyOf = ({ auditNameKey }: ApiHostSettings, masterKey: Uint8Array): Uint8Array => {
  try {
    return auditNameKey === undefined ? deriveNameKey(masterKey) : parseNameKey(auditNameKey.reveal());
  } catch (thrown) {
    throw new SettingsError([`AUDIT_NAME_KEY ${thrown instanceof Error ? thrown.message : 'is not valid'}`]);
  }
};

interface CredentialsDependencies {
  readonly settings: ApiHostSettings;
  readonly stores: Stores;
  readonly events: Events;
  readonly overrides: { readonly now?: Clock; readonly passwordCosts?: PasswordCosts };
  readonly resources: ResourceStack;
}

/** Creates what verifies callers and encrypts stored secrets. Throws if the database was written under another master key. */
export const createCredentials = async ({
  settings,
  stores,
  events,
  overrides,
  resources,
}: CredentialsDependencies) => {
  const { now = Date.now } = overrides;
  const { issuerTemplate, audience, apiAudience = apiAudienceOf(audience), tokenLifetimeMs } = settings;
  const names = { issuerTemplate, audience, apiAudience };
  const schedule = { signMs: settings.keySigningMs, leadMs: KEY_LEAD_MS, tokenMs: tokenLifetimeMs + KEY_MARGIN_MS };
  const masterKeys = masterKeysOf(settings);
  const keyRing = await createKeyRing({ store: stores.signingKeys, masterKeys, schedule, now });
  const tokens = createTokenVerifier({ ...names, keys: createLocalKeySource(keyRing), now });
  // To revoke tokens that are for the stream host alone.
  const accessAudiences = [audience, apiAudience];
  const anyTokens = createTokenVerifier({ ...names, accessAudiences, keys: createLocalKeySource(keyRing), now });
  const lifetimeSeconds = Math.floor(tokenLifetimeMs / 1000);
  const signer = createTokenSigner({ ...names, keys: keyRing, lifetimeSeconds, now });
  const passwords = createPasswords(overrides.passwordCosts);
  const throttle = createLoginThrottle(stores.throttles, now);
  const nameDigest = createNameDigest(nameKeyOf(settings, masterKeys.current));
  const secrets = createSecretVerifier({
    authStatus: stores.authStatus,
    throttle,
    passwords,
    audit: stores.audit,
    nameDigest,
    onFailed: ({ tenantName, name, origin }) =>
      events.authentication('login_failed', {
        tenant: tenantName,
        user: name,
        requestId: origin.requestId,
        address: origin.address,
      }),
    onChecked: (method, isRight) => events.secretChecked(method, isRight),
    now,
  });
  const box = createSecretBox(masterKeys);
  const valueSeal = createValueSeal(masterKeys);
  const pageTokens = createPageTokens(() => valueSeal);
  const privateHosts = settings.ssoPrivateHosts ?? [];
  const oidc = resources.add(await openOidcClient({ privateHosts }));
  const clientKeys = resources.add(await openClientKeySource({ privateHosts }));
  const clientDocuments = resources.add(
    await openClientDocuments({ privateHosts: settings.clientDocumentPrivateHosts ?? [], now }),
  );
  const verifying = { keyRing, tokens, anyTokens, signer, secrets, nameDigest, throttle, passwords };
  return { ...verifying, box, valueSeal, pageTokens, oidc, clientKeys, clientDocuments, now };
};

export type Credentials = Awaited<ReturnType<typeof createCredentials>>;
