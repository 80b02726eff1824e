import { ProblemError, signInProblem } from '@sluice/contract';
import { AttemptQueue } from './attempt-queue.ts';
import type { AttemptKeys, LoginThrottle, ThrottledAttempt } from './login-throttle.ts';
import { type NameDigest, UNKNOWN_USER } from './name-digest.ts';
import type { Passwords } from './passwords.ts';
import type { AccountStatus, AuditLog, AuthStatusReader, Clock, SecretStatus } from './ports.ts';
import { createRememberedSecrets } from './remembered-secrets.ts';
import type { SecretAttempt, SecretMethod, VerifiedSecret } from './secret-attempt.ts';
import { SecretChecker } from './secret-checker.ts';

export interface SecretVerifier {
  /**
   * Authenticates an account by its password or secret. Throws `unauthorized` (`invalid_client` for a client, RFC 6749 section 5.2)
   * with the same message after the same time for an unknown account, a wrong secret and a disabled account. Throws
   * `too_many_requests` while throttled. A failure is audited as LOGIN_FAILED. A secret that was verified within the last 5 s is not
   * throttled.
   */
  verify(attempt: SecretAttempt): Promise<VerifiedSecret>;
}

interface SecretVerifierOptions {
  readonly authStatus: Pick<AuthStatusReader, 'ofUser' | 'ofClient'>;
  readonly throttle: LoginThrottle;
  readonly passwords: Pick<Passwords, 'match'>;
  readonly audit: AuditLog;
  /** Digest of unknown names, for records of failed logins. Undefined: these records contain none. */
  readonly nameDigest?: NameDigest | undefined;
  /** Called for each rejected secret, for metrics. The name is that of the account, or `unknown`. */
  readonly onFailed?: (attempt: Omit<SecretAttempt, 'secret'>) => void;
  /** Called after each comparison of a secret, for metrics. */
  readonly onChecked?: (method: SecretMethod, isRight: boolean) => void;
  readonly now?: Clock;
}

/** A changed password is accepted for at most this long. */
const REMEMBER_MS = 5000;

const KINDS: Readonly<Record<SecretMethod, ThrottledAttempt['kind']>> = {
  password: 'user',
  password_change: 'user',
  basic: 'user',
  client_secret: 'client',
};

const refusal = (method: SecretMethod): ProblemError =>
  method === 'client_secret'
    ? new ProblemError('invalid_client', 'The client id or secret is wrong.')
    : signInProblem('unauthorized', 'wrong_password');

type RecordFailure = (attempt: SecretAttempt, tenantId: string, account: AccountStatus | undefined) => Promise<void>;

function createRecordFailure({ audit, nameDigest }: SecretVerifierOptions): RecordFailure {
  return (attempt, tenantId, account) => {
    // Computed for known names too, so that both take the same time.
    const digest = nameDigest?.(tenantId, attempt.name);
    return audit.append({
      tenantId,
      user: account?.name ?? UNKNOWN_USER,
      action: 'LOGIN_FAILED',
      // `target` repeats the digest, because the log has an index on it.
      target: account?.name ?? digest ?? UNKNOWN_USER,
      metadata: {
        method: attempt.method,
        ...(account !== undefined || digest === undefined ? {} : { name_digest: digest }),
      },
      ...attempt.origin,
    });
  };
}

export function createSecretVerifier(options: SecretVerifierOptions): SecretVerifier {
  const { authStatus, throttle, passwords, onChecked, now = Date.now } = options;
  const remembered = createRememberedSecrets({ rememberMs: REMEMBER_MS, now });
  const queue = new AttemptQueue();
  const checker = new SecretChecker({ throttle, passwords, queue, remembered, onChecked });
  const recordFailure = createRecordFailure(options);

  const statusOf = async ({ method, tenantName, name }: SecretAttempt, keys: AttemptKeys): Promise<SecretStatus> => {
    const { account, address, accountAtAddress, device, session } = keys;
    const all = [account, address, accountAtAddress, device, session].filter((key) => key !== undefined);
    const query = { keys: all, deviceHash: device?.key };
    const status = await (method === 'client_secret'
      ? authStatus.ofClient(tenantName, name, query)
      : authStatus.ofUser(tenantName, name, query));
    if (status === undefined) throw refusal(method);
    return status;
  };

  return {
    async verify(attempt) {
      const { tenantName, method, secret, deviceCookie, session } = attempt;
      const kind = KINDS[method];
      const name = kind === 'user' ? attempt.name.toLowerCase() : attempt.name;
      const rememberKey = remembered.keyOf([tenantName, kind, name, secret]);
      const isRecent = remembered.has(rememberKey);
      const client = { address: attempt.origin.address, deviceCookie, sessionId: session?.sessionId };
      const keys = await throttle.keysOf({ tenantName, kind, name, ...client });
      const mayBeKnown = isRecent || keys.device !== undefined || keys.session !== undefined;
      if (!mayBeKnown) throttle.refuseBlocked(throttle.memory.blockedMs(keys.accountAtAddress.key));
      const status = await (isRecent
        ? statusOf(attempt, keys)
        : queue.run(checker.turnOf(attempt, keys), () => statusOf(attempt, keys)));
      const open = { attempt, rememberKey, keys, status, readAtMs: performance.now() };
      const verified = checker.findRemembered(open) ?? (await checker.check(open));
      if (verified !== undefined) return verified;
      options.onFailed?.({ ...attempt, name: status.account?.name ?? UNKNOWN_USER });
      await recordFailure(attempt, status.tenant.id, status.account);
      throw refusal(method);
    },
  };
}
