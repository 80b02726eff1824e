import type { AttemptQueue, AttemptTurn } from './attempt-queue.ts';
import type { AttemptKeys, AttemptLane, LoginThrottle } from './login-throttle.ts';
import type { Passwords } from './passwords.ts';
import type { SecretStatus } from './ports.ts';
import type { RememberedSecrets } from './remembered-secrets.ts';
import type { SecretAttempt, SecretMethod, VerifiedSecret } from './secret-attempt.ts';
import { secretSelectorOf } from './secret-selector.ts';

/** An attempt with the status of its account. */
interface OpenAttempt {
  readonly attempt: SecretAttempt;
  /** Cache key of a right secret. */
  readonly rememberKey: string;
  readonly keys: AttemptKeys;
  readonly status: SecretStatus;
  /** Time at which the status was read, by `performance.now()`. */
  readonly readAtMs: number;
}

interface SecretCheckerDependencies {
  readonly throttle: LoginThrottle;
  readonly passwords: Pick<Passwords, 'match'>;
  readonly queue: AttemptQueue;
  readonly remembered: RememberedSecrets;
  /** Called after each comparison of a secret. */
  readonly onChecked?: ((method: SecretMethod, isRight: boolean) => void) | undefined;
}

/** Hashes that each attempt compares at least. A client of a version before may have two secrets without a selector. */
const HASHES_COMPARED: Readonly<Record<SecretMethod, number>> = {
  password: 1,
  password_change: 1,
  basic: 1,
  client_secret: 2,
};

/** Interval and limit of the retries of an attempt while others of its lane are being verified. */
const BUSY_RETRY_MS = 250;
const BUSY_MAX_MS = 5000;

/** Returns undefined without a matching hash, and for an account that may not log in. */
const verifiedSecretOf = ({ status }: OpenAttempt, secretHash: string | undefined): VerifiedSecret | undefined => {
  const { tenant, account, secretHashes, secretIds, secretEnds = [] } = status;
  if (account === undefined || account.disabled || secretHash === undefined) return undefined;
  const index = secretHashes.indexOf(secretHash);
  return { tenant, account, secretHash, secretId: secretIds[index] ?? '', endsMs: secretEnds[index] ?? undefined };
};

/** Returns the hashes that a secret may match: those with its selector, else those without one. */
function candidatesOf({ secretHashes, secretSelectors }: SecretStatus, secret: string): readonly string[] {
  if (secretSelectors === undefined) return secretHashes;
  const selector = secretSelectorOf(secret);
  const selected = secretHashes.filter((_hash, index) => secretSelectors[index] === selector);
  return selected.length > 0 ? selected : secretHashes.filter((_hash, index) => secretSelectors[index] === null);
}

/** A session or device of another account is ignored. */
const laneOf = ({ attempt, keys, status }: OpenAttempt): AttemptLane => {
  const isSessionKnown = attempt.session !== undefined && attempt.session.accountId === status.account?.id;
  if (keys.session !== undefined && isSessionKnown) return { key: keys.session, isKnown: true };
  if (keys.device !== undefined && status.isDeviceKnown) return { key: keys.device, isKnown: true };
  return { key: keys.accountAtAddress, isKnown: false };
};

/** Compares secrets with stored hashes, in turn and within the limits of the throttle. */
export class SecretChecker {
  readonly #dependencies: SecretCheckerDependencies;

  constructor(dependencies: SecretCheckerDependencies) {
    this.#dependencies = dependencies;
  }

  turnOf({ signal }: SecretAttempt, { prefix, account }: AttemptKeys, isKnown = false): AttemptTurn {
    const { throttle } = this.#dependencies;
    return { prefix, failures: throttle.memory.failuresOf(prefix), account: account.key, isKnown, signal };
  }

  /** Returns the result for a secret that was verified a few seconds ago. */
  findRemembered(open: OpenAttempt): VerifiedSecret | undefined {
    const { rememberKey, status } = open;
    return verifiedSecretOf(open, this.#dependencies.remembered.find(rememberKey, status.secretHashes));
  }

  /**
   * Returns undefined for a wrong secret and counts it. Throws `too_many_requests`, and any failure that prevented the comparison; such
   * an attempt is not counted.
   */
  async check(open: OpenAttempt): Promise<VerifiedSecret | undefined> {
    const { throttle, queue } = this.#dependencies;
    const lane = laneOf(open);
    const { throttle: states } = open.status;
    throttle.refuseBlocked(states[lane.key.scope]?.blockedMs ?? 0);
    const turn = { ...this.turnOf(open.attempt, open.keys, lane.isKnown), lane: lane.key.key };
    let delayMs = lane.isKnown ? 0 : throttle.delayMs(states);
    const busyUntilMs = performance.now() + delayMs + BUSY_MAX_MS;
    for (;;) {
      const result = await queue.run({ ...turn, delayMs }, () => this.#checkNow(open, lane));
      if (result !== 'busy') return result;
      if (performance.now() > busyUntilMs) throttle.refuseBlocked(1);
      delayMs = BUSY_RETRY_MS;
    }
  }

  async #checkNow(open: OpenAttempt, lane: AttemptLane): Promise<VerifiedSecret | 'busy' | undefined> {
    // Another attempt may have verified the same secret meanwhile.
    const known = this.findRemembered(open);
    if (known !== undefined) return known;
    const { tenant, databaseMs } = open.status;
    const nowMs = databaseMs + performance.now() - open.readAtMs;
    const outcome = await this.#dependencies.throttle.hold(tenant.id, lane, nowMs);
    return outcome.kind === 'busy' ? 'busy' : await this.#compare(open, lane, outcome.hold);
  }

  async #compare(open: OpenAttempt, lane: AttemptLane, hold: string): Promise<VerifiedSecret | undefined> {
    const { throttle, remembered, onChecked } = this.#dependencies;
    const { attempt, rememberKey, keys, status } = open;
    const { id: tenantId } = status.tenant;
    let verified: VerifiedSecret | undefined;
    try {
      verified = verifiedSecretOf(open, await this.#match(open));
    } catch (thrown) {
      await throttle.release(tenantId, lane, hold);
      throw thrown;
    }
    onChecked?.(attempt.method, verified !== undefined);
    if (verified === undefined) {
      await throttle.countFailure(tenantId, { keys, lane, hold });
      return undefined;
    }
    remembered.add(rememberKey, verified.secretHash);
    await throttle.release(tenantId, lane, hold);
    return verified;
  }

  async #match({ attempt, status }: OpenAttempt): Promise<string | undefined> {
    const { method, secret, signal } = attempt;
    signal?.throwIfAborted();
    return await this.#dependencies.passwords.match(candidatesOf(status, secret), secret, HASHES_COMPARED[method]);
  }
}
