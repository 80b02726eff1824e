import type { RunScript } from './create-scripts.ts';
import type { HeldRequests } from './held-requests.ts';
import type { SlotKeys } from './slot-keys.ts';
import { TIMING } from './timing.ts';

interface HeartbeatOptions {
  readonly run: RunScript;
  readonly keys: SlotKeys;
  readonly held: HeldRequests;
}

/** Heartbeat of a host: reports periodically to Redis that the host is alive and which requests it holds. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #sentMs = Number.NEGATIVE_INFINITY;
  #running: Promise<number> | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /**
   * Sends a heartbeat. Resolves with the milliseconds until slots are granted, 0 when they are. Rejects when Redis does not reply.
   * Calls during a running heartbeat share its result.
   */
  send(): Promise<number> {
    this.#running ??= this.#sendOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #sendOnce(): Promise<number> {
    const { run, keys, held } = this.#options;
    const startedMs = performance.now();
    const isSteady = startedMs - this.#sentMs < TIMING.silenceMs;
    // Sent together, in this order: lost requests are restored before Redis is trusted again.
    const replies = [run('heartbeat', [keys.trust], [TIMING.silenceMs, TIMING.graceMs])];
    for (const [tenantId, { running, queued, released }] of held.byTenant()) {
      const tenantKeys = keys.ofTenant(tenantId);
      const counts = [isSteady ? 'steady' : 'back', running.length, queued.length];
      const args = [TIMING.leaseMs, TIMING.graceMs, ...counts, ...running, ...queued, ...released];
      replies.push(run('renew', [keys.trust, tenantKeys.running, tenantKeys.queued], args));
    }
    const [untrustedForMs] = await Promise.all(replies);
    this.#sentMs = startedMs;
    return Number(untrustedForMs);
  }
}
