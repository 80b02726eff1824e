import { BID_MS, type Claim, type ClaimLimits, type Places, type QueueAnswer, type TakeAnswer } from '../places.ts';
import type { HeldClaims } from './held-claims.ts';
import type { PlaceKeys } from './place-keys.ts';
import type { RunScript } from './scripted-client.ts';
import { TIMING } from './timing.ts';
import { unavailable } from './unavailable.ts';

export interface RedisPlacesOptions {
  readonly run: RunScript;
  readonly keys: PlaceKeys;
  readonly held: HeldClaims;
}

/** Places that all hosts of one Redis share. A host that is gone loses its own after `TIMING.leaseMs`. */
export class RedisPlaces implements Places {
  readonly #options: RedisPlacesOptions;
  readonly #listeners = new Set<(tenantId: string) => void>();

  constructor(options: RedisPlacesOptions) {
    this.#options = options;
  }

  async take(claim: Claim, limits: ClaimLimits): Promise<TakeAnswer> {
    const { held } = this.#options;
    const before = held.stateOf(claim);
    if (before === 'running') return 'taken';
    held.put(claim, 'asking');
    try {
      const answer = await this.#ask(claim, limits);
      // Whoever left meanwhile was told so before the answer came, and after what it answers.
      if (held.stateOf(claim) === undefined) this.leave(claim);
      else if (answer === 'taken') held.put(claim, 'running');
      else if (before === undefined) held.drop(claim);
      else held.put(claim, before);
      return answer;
    } catch (thrown) {
      // Its place may have been taken all the same: what waits says at the next beat that it does not run, what is gone that it left.
      if (before === undefined) held.leave(claim);
      else if (held.stateOf(claim) !== undefined) held.put(claim, before);
      throw unavailable(thrown);
    }
  }

  async #ask(claim: Claim, limits: ClaimLimits): Promise<TakeAnswer> {
    const { run, keys } = this.#options;
    const { running, queued, bids } = keys.ofTenant(claim.tenantId);
    const args = [TIMING.silenceMs, TIMING.leaseMs, BID_MS, claim.accountId, claim.id, claim.sinceMs];
    const limitArgs = [limits.account, limits.tenant];
    return known(await run('take', [keys.trust, running, queued, bids], [...args, ...limitArgs]));
  }

  async queue(claim: Claim, limits: ClaimLimits): Promise<QueueAnswer> {
    const { run, keys, held } = this.#options;
    const { queued } = keys.ofTenant(claim.tenantId);
    const args = [TIMING.silenceMs, TIMING.leaseMs, claim.accountId, claim.id, limits.account, limits.tenant];
    // Held before the answer, so that a beat tells of it when this question does not get through.
    if (held.stateOf(claim) === undefined) held.put(claim, 'queued');
    try {
      const answer = known<QueueAnswer>(await run('queue', [keys.trust, queued], args));
      if (answer !== 'queued' && held.stateOf(claim) === 'queued') this.leave(claim);
      return answer;
    } catch (thrown) {
      throw unavailable(thrown);
    }
  }

  leave(claim: Claim): void {
    const { run, keys, held } = this.#options;
    const { running, queued, bids } = keys.ofTenant(claim.tenantId);
    held.leave(claim);
    run('leave', [running, queued, bids], [claim.accountId, claim.id, claim.sinceMs, keys.freed, claim.tenantId]).then(
      () => held.settle(claim),
      // The next beat says it again.
      () => undefined,
    );
  }

  onFreed(listener: (tenantId: string) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** A place of the tenant is said to be free. */
  freed(tenantId: string): void {
    for (const listener of this.#listeners) listener(tenantId);
  }
}

/** Redis answers `unknown` while it may have lost something; that is no answer. */
function known<T extends string>(answer: unknown): T {
  if (answer === 'unknown') throw new Error('Redis does not know yet what all hosts hold');
  return String(answer) as T;
}
