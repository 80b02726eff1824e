import {
  type Authenticator,
  type Clock,
  createAuthenticator,
  createCredentialVerifier,
  createLoginThrottle,
  createNameDigest,
  createPasswords,
  createRemoteKeySource,
  createSecretVerifier,
  createTokenVerifier,
  type NameDigest,
  parseNameKey,
} from '@sluice/auth';
import { SettingsError } from '@sluice/config';
import type { Events } from '@sluice/observability';
import type { AuditStore } from '@sluice/store/audit';
import type { Database } from '@sluice/store/database';
import { createAuthStatusStore, type ThrottleStore } from '@sluice/store/identity';
import type { StreamHostSettings } from '../config.ts';

interface AuthenticationDependencies {
  readonly database: Database;
  readonly throttles: ThrottleStore;
  readonly audit: AuditStore;
  readonly events: Events;
  readonly keySetNow: Clock | undefined;
}

const nameDigestOf = ({ auditNameKey }: StreamHostSettings): NameDigest | undefined => {
  try {
    return auditNameKey && createNameDigest(parseNameKey(auditNameKey.reveal()));
  } catch (thrown) {
    throw new SettingsError([`AUDIT_NAME_KEY ${thrown instanceof Error ? thrown.message : 'is not valid'}`]);
  }
};

/** Opens the authenticator of requests. Tokens are verified with the keys of the API host. */
export function openAuthenticator(
  settings: StreamHostSettings,
  dependencies: AuthenticationDependencies,
): Authenticator {
  const authStatus = createAuthStatusStore(dependencies.database);
  return createAuthenticator(
    createCredentialVerifier({
      // The API host's key set, read over HTTP: this host has no private keys.
      tokens: createTokenVerifier({
        issuerTemplate: settings.issuerTemplate,
        audience: settings.audience,
        keys: createRemoteKeySource({
          url: settings.jwksUrl,
          ...(dependencies.keySetNow === undefined ? {} : { now: dependencies.keySetNow }),
        }),
      }),
      authStatus,
      secrets: createSecretVerifier({
        authStatus,
        throttle: createLoginThrottle(dependencies.throttles),
        passwords: createPasswords(),
        audit: dependencies.audit,
        onChecked: (method, isRight) => dependencies.events.secretChecked(method, isRight),
        nameDigest: nameDigestOf(settings),
        onFailed: ({ tenantName, name, origin }) =>
          dependencies.events.authentication('login_failed', {
            tenant: tenantName,
            user: name,
            requestId: origin.requestId,
            address: origin.address,
          }),
      }),
      tenantNameDefault: settings.tenantNameDefault,
    }),
  );
}
