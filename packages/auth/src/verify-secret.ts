import { ProblemError, type Tenant } from '@sluice/contract';
import type { LoginThrottle, ThrottledAttempt } from './login-throttle.ts';
import type { Passwords } from './passwords.ts';
import type { AccountStanding, AuditLog, Clock, RequestOrigin, SecretStanding, Standings } from './ports.ts';
import { createRememberedSecrets } from './remembered-secrets.ts';

export type SecretMethod = 'password' | 'basic' | 'client_secret';

export interface SecretAttempt {
  readonly tenantName: string;
  /** `client_secret` is of a client, the others of a user. */
  readonly method: SecretMethod;
  readonly name: string;
  readonly secret: string;
  readonly origin: RequestOrigin;
}

export interface SecretProof {
  readonly tenant: Tenant;
  readonly account: AccountStanding;
  /** The stored hash that the secret matched, and what it is called. */
  readonly secretHash: string;
  readonly secretId: string;
}

export interface SecretVerifier {
  /**
   * Proves an account by its password or secret. Throws `unauthorized` (`invalid_client` for a client, RFC 6749 section 5.2),
   * alike in answer and time for an unknown, wrong or disabled one, and `too_many_requests` while throttled. A failure is
   * audited as LOGIN_FAILED.
   */
  verify(attempt: SecretAttempt): Promise<SecretProof>;
}

export interface SecretVerifierOptions {
  readonly standings: Pick<Standings, 'ofUser' | 'ofClient'>;
  readonly throttle: LoginThrottle;
  readonly passwords: Pick<Passwords, 'match'>;
  readonly audit: AuditLog;
  /** Told of each refused secret, besides the audit record; for metrics. */
  readonly onFailed?: (attempt: Omit<SecretAttempt, 'secret'>) => void;
  readonly now?: Clock;
}

/** Longer than this, a changed password would still open a door. */
const REMEMBER_MS = 5000;

/** A client may have two live secrets while it changes them. */
const LIVE_SECRETS_MAX: Readonly<Record<SecretMethod, number>> = { password: 1, basic: 1, client_secret: 2 };

const KINDS: Readonly<Record<SecretMethod, ThrottledAttempt['kind']>> = {
  password: 'user',
  basic: 'user',
  client_secret: 'client',
};

const refusal = (method: SecretMethod): ProblemError =>
  method === 'client_secret'
    ? new ProblemError('invalid_client', 'The client id or secret is wrong.')
    : new ProblemError('unauthorized', 'The e-mail or the password is wrong.');

export function createSecretVerifier(options: SecretVerifierOptions): SecretVerifier {
  const { standings, throttle, passwords, audit, now = Date.now } = options;
  const remembered = createRememberedSecrets({ rememberMs: REMEMBER_MS, now });
  const checking = new Map<string, Promise<string | undefined>>();

  const standingOf = async ({ method, tenantName, name, origin }: SecretAttempt): Promise<SecretStanding> => {
    const keys = throttle.keysOf({ kind: KINDS[method], name, address: origin.address });
    const standing = await (method === 'client_secret'
      ? standings.ofClient(tenantName, name, keys)
      : standings.ofUser(tenantName, name, keys));
    if (standing === undefined) throw refusal(method);
    return standing;
  };

  /** The first of several that send the same secret at once checks it; a right one costs one hash and one count for all. */
  const matchOnce = async (
    key: string,
    throttled: ThrottledAttempt,
    match: () => Promise<string | undefined>,
  ): Promise<string | undefined> => {
    const running = checking.get(key);
    if (running !== undefined) {
      const matched = await running;
      // It is known to be wrong, yet each wrong attempt counts for itself.
      if (matched === undefined) await throttle.take(throttled);
      return matched;
    }
    const checked = (async () => {
      await throttle.take(throttled);
      const matched = await match();
      if (matched !== undefined) await throttle.giveBack(throttled);
      return matched;
    })();
    checking.set(key, checked);
    try {
      return await checked;
    } finally {
      checking.delete(key);
    }
  };

  const recordFailure = (attempt: SecretAttempt, tenantId: string): Promise<void> =>
    audit.append({
      tenantId,
      // As the account is known, so that who looks for it finds what was tried, however that was spelled.
      user: attempt.method === 'client_secret' ? attempt.name : attempt.name.toLowerCase(),
      action: 'LOGIN_FAILED',
      target: attempt.name,
      metadata: { method: attempt.method },
      ...attempt.origin,
    });

  return {
    async verify(attempt) {
      const { tenant, account, secretHashes, secretIds, blockedMs } = await standingOf(attempt);
      const kind = KINDS[attempt.method];
      const throttled = { tenantId: tenant.id, kind, name: attempt.name, address: attempt.origin.address };
      throttle.refuseBlocked(blockedMs);
      const key = remembered.keyOf([tenant.id, kind, attempt.name, attempt.secret, ...secretHashes]);
      const usable = account !== undefined && !account.disabled;
      const secretIdOf = (hash: string): string => secretIds[secretHashes.indexOf(hash)] ?? '';
      const known = attempt.method === 'basic' ? remembered.find(key) : undefined;
      if (usable && known !== undefined) return { tenant, account, secretHash: known, secretId: secretIdOf(known) };
      const match = async () => {
        const matched = await passwords.match(secretHashes, attempt.secret, LIVE_SECRETS_MAX[attempt.method]);
        return usable ? matched : undefined;
      };
      const secretHash = await matchOnce(key, throttled, match);
      if (secretHash !== undefined && usable) {
        remembered.add(key, secretHash);
        return { tenant, account, secretHash, secretId: secretIdOf(secretHash) };
      }
      options.onFailed?.(attempt);
      await recordFailure(attempt, tenant.id);
      throw refusal(attempt.method);
    },
  };
}
