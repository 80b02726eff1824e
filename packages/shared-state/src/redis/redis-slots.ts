import {
  type AcquireResult,
  CONTENTION_MS,
  type EnqueueResult,
  type QuerySlots,
  type SlotLimits,
  type SlotRequest,
} from '../query-slots.ts';
import type { RunScript } from './create-scripts.ts';
import type { HeldRequests } from './held-requests.ts';
import type { SlotKeys } from './slot-keys.ts';
import { TIMING } from './timing.ts';
import { unavailable } from './unavailable.ts';

interface RedisSlotsOptions {
  readonly run: RunScript;
  readonly keys: SlotKeys;
  readonly held: HeldRequests;
}

/** Slots that all hosts of one Redis share. The slots of a host that died expire after `TIMING.leaseMs`. */
export class RedisSlots implements QuerySlots {
  readonly #options: RedisSlotsOptions;
  readonly #listeners = new Set<(tenantId: string) => void>();

  constructor(options: RedisSlotsOptions) {
    this.#options = options;
  }

  async acquire(request: SlotRequest, limits: SlotLimits): Promise<AcquireResult> {
    const { held } = this.#options;
    const before = held.stateOf(request);
    if (before === 'running') return 'acquired';
    held.put(request, 'acquiring');
    try {
      const result = await this.#runAcquire(request, limits);
      // The request was released before the reply arrived, so a slot that the reply grants is released now.
      if (held.stateOf(request) === undefined) this.release(request);
      else if (result === 'acquired') held.put(request, 'running');
      else if (before === undefined) held.drop(request);
      else held.put(request, before);
      return result;
    } catch (thrown) {
      // Redis may have granted the slot. The next heartbeat corrects it: it reports the request as queued or as released.
      if (before === undefined) held.release(request);
      else if (held.stateOf(request) !== undefined) held.put(request, before);
      throw unavailable(thrown);
    }
  }

  async #runAcquire(request: SlotRequest, limits: SlotLimits): Promise<AcquireResult> {
    const { run, keys } = this.#options;
    const { running, queued, contending } = keys.ofTenant(request.tenantId);
    const args = [TIMING.silenceMs, TIMING.leaseMs, CONTENTION_MS, request.accountId, request.id, request.sinceMs];
    const limitArgs = [limits.account, limits.tenant];
    return known(await run('acquire', [keys.trust, running, queued, contending], [...args, ...limitArgs]));
  }

  async enqueue(request: SlotRequest, limits: SlotLimits): Promise<EnqueueResult> {
    const { run, keys, held } = this.#options;
    const { queued } = keys.ofTenant(request.tenantId);
    const args = [TIMING.silenceMs, TIMING.leaseMs, request.accountId, request.id, limits.account, limits.tenant];
    // Held before the reply, so that a heartbeat reports it when this command fails.
    if (held.stateOf(request) === undefined) held.put(request, 'queued');
    try {
      const result = known<EnqueueResult>(await run('enqueue', [keys.trust, queued], args));
      if (result !== 'queued' && held.stateOf(request) === 'queued') this.release(request);
      return result;
    } catch (thrown) {
      throw unavailable(thrown);
    }
  }

  release(request: SlotRequest): void {
    const { run, keys, held } = this.#options;
    const { running, queued, contending } = keys.ofTenant(request.tenantId);
    held.release(request);
    run(
      'release',
      [running, queued, contending],
      [request.accountId, request.id, request.sinceMs, keys.released, request.tenantId],
    ).then(
      () => held.confirmRelease(request),
      // The next heartbeat sends it again.
      () => undefined,
    );
  }

  onReleased(listener: (tenantId: string) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Calls the listeners after a slot of the tenant was released. */
  notifyReleased(tenantId: string): void {
    for (const listener of this.#listeners) listener(tenantId);
  }
}

/** Returns the reply as text. Throws for `unknown`, which the scripts return while Redis may have lost data. */
function known<T extends string>(reply: unknown): T {
  if (reply === 'unknown') throw new Error('Redis does not know the slots of all hosts yet.');
  return String(reply) as T;
}
