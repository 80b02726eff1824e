import { ProblemError, type Tenant } from '@sluice/contract';
import { AttemptQueue, type AttemptTurn } from './attempt-queue.ts';
import type { AttemptKeys, AttemptLane, LoginThrottle, ThrottledAttempt } from './login-throttle.ts';
import { type NameDigest, UNKNOWN_USER } from './name-digest.ts';
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
  /** Device cookie of a browser that has logged in before. */
  readonly deviceCookie?: string | undefined;
  /** The valid session of the client, if it sent one. */
  readonly session?: { readonly sessionId: string; readonly accountId: string } | undefined;
  /** Aborts when the client is gone: what is not judged by then is not counted. */
  readonly signal?: AbortSignal | undefined;
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
   * audited as LOGIN_FAILED. A secret that was right within the last 5 s is accepted before any throttle.
   */
  verify(attempt: SecretAttempt): Promise<SecretProof>;
}

export interface SecretVerifierOptions {
  readonly standings: Pick<Standings, 'ofUser' | 'ofClient'>;
  readonly throttle: LoginThrottle;
  readonly passwords: Pick<Passwords, 'match'>;
  readonly audit: AuditLog;
  /** Without it, the records of failed logins with unknown names hold no digest. */
  readonly nameDigest?: NameDigest | undefined;
  /** Told of each refused secret, besides the audit record, for metrics; the name is that of the account, or `unknown`. */
  readonly onFailed?: (attempt: Omit<SecretAttempt, 'secret'>) => void;
  /** Told of each secret that was hashed and compared; for metrics. */
  readonly onChecked?: (method: SecretMethod, isRight: boolean) => void;
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

/** Interval and limit of the retries of an attempt while others of its lane are being verified. */
const BUSY_RETRY_MS = 250;
const BUSY_MAX_MS = 5000;

/** An attempt with what is known of its account. */
interface OpenAttempt {
  readonly attempt: SecretAttempt;
  /** Under which a right secret is remembered. */
  readonly rememberKey: string;
  readonly keys: AttemptKeys;
  readonly status: SecretStanding;
  /** Time at which the status was read, by `performance.now()`. */
  readonly readAtMs: number;
}

export function createSecretVerifier(options: SecretVerifierOptions): SecretVerifier {
  const { standings, throttle, passwords, audit, now = Date.now } = options;
  const remembered = createRememberedSecrets({ rememberMs: REMEMBER_MS, now });
  const queue = new AttemptQueue();

  const turnOf = ({ signal }: SecretAttempt, { prefix, account }: AttemptKeys, isKnown = false): AttemptTurn => ({
    prefix,
    failures: throttle.memory.failuresOf(prefix),
    account: account.key,
    isKnown,
    signal,
  });

  const statusOf = async ({ method, tenantName, name }: SecretAttempt, keys: AttemptKeys): Promise<SecretStanding> => {
    const { account, address, accountAtAddress, device, session } = keys;
    const all = [account, address, accountAtAddress, device, session].filter((key) => key !== undefined);
    const query = { keys: all, deviceHash: device?.key };
    const status = await (method === 'client_secret'
      ? standings.ofClient(tenantName, name, query)
      : standings.ofUser(tenantName, name, query));
    if (status === undefined) throw refusal(method);
    return status;
  };

  const usableAccount = ({ status: { account } }: OpenAttempt): AccountStanding | undefined =>
    account?.disabled === false ? account : undefined;

  const proofOf = (open: OpenAttempt, secretHash: string | undefined): SecretProof | undefined => {
    const account = usableAccount(open);
    if (account === undefined || secretHash === undefined) return undefined;
    const { tenant, secretHashes, secretIds } = open.status;
    return { tenant, account, secretHash, secretId: secretIds[secretHashes.indexOf(secretHash)] ?? '' };
  };

  const rememberedProof = (open: OpenAttempt): SecretProof | undefined =>
    proofOf(open, remembered.find(open.rememberKey, open.status.secretHashes));

  /** A session or device of another account is ignored. */
  const laneOf = ({ attempt, keys, status }: OpenAttempt): AttemptLane => {
    const isSessionKnown = attempt.session !== undefined && attempt.session.accountId === status.account?.id;
    if (keys.session !== undefined && isSessionKnown) return { key: keys.session, isKnown: true };
    if (keys.device !== undefined && status.isDeviceKnown) return { key: keys.device, isKnown: true };
    return { key: keys.accountAtAddress, isKnown: false };
  };

  const recordFailure = (
    attempt: SecretAttempt,
    tenantId: string,
    account: AccountStanding | undefined,
  ): Promise<void> => {
    // Made for known names too, so that both take the same time.
    const digest = options.nameDigest?.(tenantId, attempt.name);
    return audit.append({
      tenantId,
      user: account?.name ?? UNKNOWN_USER,
      action: 'LOGIN_FAILED',
      // The digest is here too, because the log has an index on it.
      target: account?.name ?? digest ?? UNKNOWN_USER,
      metadata: {
        method: attempt.method,
        ...(account !== undefined || digest === undefined ? {} : { name_digest: digest }),
      },
      ...attempt.origin,
    });
  };

  /** Undefined: the secret is wrong, and has been counted. What this throws for any other reason was not judged, and is not counted. */
  const check = async (open: OpenAttempt, lane: AttemptLane, hold: string): Promise<SecretProof | undefined> => {
    const { attempt, rememberKey, keys, status } = open;
    const { id: tenantId } = status.tenant;
    let proof: SecretProof | undefined;
    try {
      attempt.signal?.throwIfAborted();
      const matched = await passwords.match(status.secretHashes, attempt.secret, LIVE_SECRETS_MAX[attempt.method]);
      proof = proofOf(open, matched);
    } catch (thrown) {
      await throttle.release(tenantId, lane, hold);
      throw thrown;
    }
    options.onChecked?.(attempt.method, proof !== undefined);
    if (proof === undefined) {
      await throttle.countFailure(tenantId, { keys, lane, hold });
      return undefined;
    }
    remembered.add(rememberKey, proof.secretHash);
    await throttle.release(tenantId, lane, hold);
    return proof;
  };

  const judge = async (open: OpenAttempt, lane: AttemptLane): Promise<SecretProof | 'busy'> => {
    const { attempt, status, readAtMs } = open;
    // Another attempt with the same secret may have come first.
    const known = rememberedProof(open);
    if (known !== undefined) return known;
    const { tenant, databaseMs } = status;
    const outcome = await throttle.hold(tenant.id, lane, databaseMs + performance.now() - readAtMs);
    if (outcome.kind === 'busy') return 'busy';
    const proof = await check(open, lane, outcome.hold);
    if (proof !== undefined) return proof;
    options.onFailed?.({ ...attempt, name: status.account?.name ?? UNKNOWN_USER });
    await recordFailure(attempt, tenant.id, status.account);
    throw refusal(attempt.method);
  };

  const judgeInTurn = async (open: OpenAttempt): Promise<SecretProof> => {
    const { attempt, keys, status } = open;
    const lane = laneOf(open);
    throttle.refuseBlocked(status.throttle[lane.key.scope]?.blockedMs ?? 0);
    const turn = { ...turnOf(attempt, keys, lane.isKnown), lane: lane.key.key };
    let delayMs = lane.isKnown ? 0 : throttle.delayMs(status.throttle);
    const busyUntilMs = performance.now() + delayMs + BUSY_MAX_MS;
    for (;;) {
      const proof = await queue.run({ ...turn, delayMs }, () => judge(open, lane));
      if (proof !== 'busy') return proof;
      if (performance.now() > busyUntilMs) throttle.refuseBlocked(1);
      delayMs = BUSY_RETRY_MS;
    }
  };

  return {
    async verify(attempt) {
      const { tenantName, method, secret, origin, deviceCookie, session } = attempt;
      const kind = KINDS[method];
      const name = kind === 'user' ? attempt.name.toLowerCase() : attempt.name;
      const rememberKey = remembered.keyOf([tenantName, kind, name, secret]);
      const isRecent = remembered.has(rememberKey);
      const { address } = origin;
      const sessionId = session?.sessionId;
      const keys = await throttle.keysOf({ tenantName, kind, name, address, deviceCookie, sessionId });
      const mayBeKnown = isRecent || keys.device !== undefined || keys.session !== undefined;
      if (!mayBeKnown) throttle.refuseBlocked(throttle.memory.blockedMs(keys.accountAtAddress.key));
      const status = await (isRecent
        ? statusOf(attempt, keys)
        : queue.run(turnOf(attempt, keys), () => statusOf(attempt, keys)));
      const open = { attempt, rememberKey, keys, status, readAtMs: performance.now() };
      return rememberedProof(open) ?? judgeInTurn(open);
    },
  };
}
