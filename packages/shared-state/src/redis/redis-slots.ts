import {
  type AcquireAnswer,
  BID_MS,
  type EnqueueAnswer,
  type QuerySlots,
  type SlotLimits,
  type SlotRequest,
} from '../query-slots.ts';
import type { HeldRequests } from './held-requests.ts';
import type { RunScript } from './scripted-client.ts';
import type { SlotKeys } from './slot-keys.ts';
import { TIMING } from './timing.ts';
import { unavailable } from './unavailable.ts';

export interface RedisSlotsOptions {
  readonly run: RunScript;
  readonly keys: SlotKeys;
  readonly held: HeldRequests;
}

/** Slots that all hosts of one Redis share. A host that is gone loses its own after `TIMING.leaseMs`. */
export class RedisSlots implements QuerySlots {
  readonly #options: RedisSlotsOptions;
  readonly #listeners = new Set<(tenantId: string) => void>();

  constructor(options: RedisSlotsOptions) {
    this.#options = options;
  }

  async acquire(request: SlotRequest, limits: SlotLimits): Promise<AcquireAnswer> {
    const { held } = this.#options;
    const before = held.stateOf(request);
    if (before === 'running') return 'acquired';
    held.put(request, 'asking');
    try {
      const answer = await this.#ask(request, limits);
      // The request was released before the reply came: what the reply grants is released now.
      if (held.stateOf(request) === undefined) this.release(request);
      else if (answer === 'acquired') held.put(request, 'running');
      else if (before === undefined) held.drop(request);
      else held.put(request, before);
      return answer;
    } catch (thrown) {
      // Its place may have been taken all the same: what waits says at the next beat that it does not run, what is gone that it left.
      if (before === undefined) held.release(request);
      else if (held.stateOf(request) !== undefined) held.put(request, before);
      throw unavailable(thrown);
    }
  }

  async #ask(request: SlotRequest, limits: SlotLimits): Promise<AcquireAnswer> {
    const { run, keys } = this.#options;
    const { running, queued, bids } = keys.ofTenant(request.tenantId);
    const args = [TIMING.silenceMs, TIMING.leaseMs, BID_MS, request.accountId, request.id, request.sinceMs];
    const limitArgs = [limits.account, limits.tenant];
    return known(await run('acquire', [keys.trust, running, queued, bids], [...args, ...limitArgs]));
  }

  async enqueue(request: SlotRequest, limits: SlotLimits): Promise<EnqueueAnswer> {
    const { run, keys, held } = this.#options;
    const { queued } = keys.ofTenant(request.tenantId);
    const args = [TIMING.silenceMs, TIMING.leaseMs, request.accountId, request.id, limits.account, limits.tenant];
    // Held before the answer, so that a beat tells of it when this question does not get through.
    if (held.stateOf(request) === undefined) held.put(request, 'queued');
    try {
      const answer = known<EnqueueAnswer>(await run('enqueue', [keys.trust, queued], args));
      if (answer !== 'queued' && held.stateOf(request) === 'queued') this.release(request);
      return answer;
    } catch (thrown) {
      throw unavailable(thrown);
    }
  }

  release(request: SlotRequest): void {
    const { run, keys, held } = this.#options;
    const { running, queued, bids } = keys.ofTenant(request.tenantId);
    held.release(request);
    run(
      'release',
      [running, queued, bids],
      [request.accountId, request.id, request.sinceMs, keys.released, request.tenantId],
    ).then(
      () => held.settle(request),
      // The next beat says it again.
      () => undefined,
    );
  }

  onReleased(listener: (tenantId: string) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** A place of the tenant is said to be free. */
  released(tenantId: string): void {
    for (const listener of this.#listeners) listener(tenantId);
  }
}

/** Returns the reply as text. Throws for `unknown`, which Redis sends while it may have lost something. */
function known<T extends string>(answer: unknown): T {
  if (answer === 'unknown') throw new Error('Redis does not know yet what all hosts hold');
  return String(answer) as T;
}
