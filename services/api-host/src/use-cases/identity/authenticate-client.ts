import {
  type AuthStatusReader,
  type ClientKeySource,
  type Clock,
  includesAddress,
  type LoginThrottle,
  type NameDigest,
  readAssertionHint,
  repeatedAssertion,
  type SecretVerifier,
  unknownAssertionKey,
  verifyClientAssertion,
} from '@sluice/auth';
import { type AccountStatus, type ClientKeys, ProblemError } from '@sluice/contract';
import type { AuditStore } from '@sluice/store/audit';
import type { ClientAssertionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';

export type ClientCredential =
  | { readonly method: 'client_secret'; readonly clientId: string; readonly clientSecret: string }
  | {
      readonly method: 'private_key_jwt';
      readonly assertion: string;
      /** `client_id` of the form, which must name the client of the assertion (RFC 7521 section 4.2). */
      readonly clientId: string | undefined;
    };

export interface AuthenticatedClient {
  readonly method: ClientCredential['method'];
  readonly account: AccountStatus;
  /** Stored hash of its secret. */
  readonly secretHash?: string;
  /** End of its secret in epoch milliseconds. */
  readonly endsMs?: number | undefined;
  /** Keys with which its assertion was verified. */
  readonly clientKeys?: ClientKeys;
}

/**
 * Authenticates a service account by its secret or by an assertion, from an address of its networks. A failure is audited as LOGIN_FAILED. Throws
 * `invalid_client`, `too_many_requests`, and `service_unavailable` if its keys cannot be fetched.
 */
export type AuthenticateClient = (
  caller: AnonymousCaller,
  input: { readonly credential: ClientCredential; readonly signal: AbortSignal },
) => Promise<AuthenticatedClient>;

interface AuthenticateClientDependencies {
  readonly secrets: SecretVerifier;
  readonly authStatus: Pick<AuthStatusReader, 'ofClient'>;
  readonly clientKeys: Pick<ClientKeySource, 'find'>;
  readonly assertions: Pick<ClientAssertionStore, 'use'>;
  readonly throttle: Pick<LoginThrottle, 'delayAddress' | 'countAddressFailure'>;
  readonly audit: Pick<AuditStore, 'append'>;
  readonly nameDigest: NameDigest;
  /** Values of `aud` that assertions for a tenant may have. */
  readonly audiencesOf: (tenantName: string) => readonly string[];
  /** Called for each rejected client, for metrics. A secret verifier reports wrong secrets itself. */
  readonly onFailed: (caller: AnonymousCaller, user: string) => void;
  readonly now: Clock;
}

/** User in the record of a failure with an unknown client id. */
const UNKNOWN = 'unknown';

interface Failure {
  readonly method: ClientCredential['method'];
  /** Name that the client sent. */
  readonly name: string;
  readonly account: AccountStatus | undefined;
  readonly reason: string;
}

type AssertionCredential = Extract<ClientCredential, { method: 'private_key_jwt' }>;

export function createAuthenticateClient(dependencies: AuthenticateClientDependencies): AuthenticateClient {
  const { secrets, authStatus, clientKeys, assertions, throttle, audit, nameDigest, audiencesOf, onFailed, now } =
    dependencies;

  const recordFailure = async (caller: AnonymousCaller, { method, name, account, reason }: Failure): Promise<void> => {
    const { tenant, origin } = caller;
    const user = account?.name ?? UNKNOWN;
    onFailed(caller, user);
    const digest = nameDigest(tenant.id, name);
    await audit.append({
      tenantId: tenant.id,
      user,
      action: 'LOGIN_FAILED',
      target: account?.name ?? digest,
      metadata: { method, reason, ...(account === undefined ? { name_digest: digest } : {}) },
      ...origin,
    });
  };

  const bySecret = async (
    { tenant, origin }: AnonymousCaller,
    { clientId, clientSecret }: Extract<ClientCredential, { method: 'client_secret' }>,
    signal: AbortSignal,
  ): Promise<AuthenticatedClient> => {
    const { account, secretHash, endsMs } = await secrets.verify({
      tenantName: tenant.name,
      method: 'client_secret',
      name: clientId,
      secret: clientSecret,
      origin,
      signal,
    });
    return { method: 'client_secret', account, secretHash, endsMs };
  };

  /** Verifies an assertion, and marks it as used. */
  const verifyAssertion = async (
    { tenant }: AnonymousCaller,
    { assertion, clientId }: AssertionCredential,
    found: { readonly account: AccountStatus | undefined; readonly keys: ClientKeys | undefined },
  ): Promise<AuthenticatedClient> => {
    const { account, keys } = found;
    const hint = readAssertionHint(assertion);
    if (clientId !== undefined && clientId !== hint.clientId)
      throw new ProblemError('invalid_client', 'client_id and the sub of client_assertion must be the same client.');
    if (account === undefined || account.disabled || keys === undefined) throw unknownAssertionKey();
    const set = await clientKeys.find(keys, hint.keyId);
    if (set === undefined) throw unknownAssertionKey();
    const rules = { clientId: account.name, audiences: audiencesOf(tenant.name), keys: set, nowMs: now() };
    const { id, expiresMs } = await verifyClientAssertion(assertion, rules);
    const isFirst = await assertions.use({ tenantId: tenant.id, clientId: account.name, id, expiresMs });
    if (!isFirst) throw repeatedAssertion();
    return { method: 'private_key_jwt', account, clientKeys: keys };
  };

  const byAssertion = async (
    caller: AnonymousCaller,
    credential: AssertionCredential,
  ): Promise<AuthenticatedClient> => {
    const { tenant, origin } = caller;
    const { clientId: name } = readAssertionHint(credential.assertion);
    await throttle.delayAddress(tenant.id, origin.address);
    const status = await authStatus.ofClient(tenant.name, name, { keys: [] });
    const account = status?.account;
    try {
      return await verifyAssertion(caller, credential, { account, keys: status?.clientKeys });
    } catch (thrown) {
      if (!(thrown instanceof ProblemError) || thrown.code !== 'invalid_client') throw thrown;
      await throttle.countAddressFailure(tenant.id, origin.address);
      await recordFailure(caller, { method: 'private_key_jwt', name, account, reason: thrown.message });
      throw thrown;
    }
  };

  return async (caller, { credential, signal }) => {
    const client =
      credential.method === 'client_secret'
        ? await bySecret(caller, credential, signal)
        : await byAssertion(caller, credential);
    const { method, account } = client;
    const { address } = caller.origin;
    if (includesAddress(account.allowedNetworks, address)) return client;
    await recordFailure(caller, { method, name: account.name, account, reason: 'address' });
    throw new ProblemError(
      'invalid_client',
      `${account.name} may not sign in from ${address}. An admin can add the network to the allowed networks of the service account.`,
    );
  };
}
