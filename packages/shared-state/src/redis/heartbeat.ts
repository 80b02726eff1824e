import type { HeldRequests } from './held-requests.ts';
import type { RunScript } from './scripted-client.ts';
import type { SlotKeys } from './slot-keys.ts';
import { TIMING } from './timing.ts';

export interface HeartbeatOptions {
  readonly run: RunScript;
  readonly keys: SlotKeys;
  readonly held: HeldRequests;
}

/** Tells Redis, again and again, that this host lives and what it holds. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #sentMs = Number.NEGATIVE_INFINITY;
  #running: Promise<number> | undefined;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /**
   * Answers the milliseconds until places are given, 0 when they are. Rejects when Redis does not answer. Who calls while it beats
   * gets the same answer.
   */
  send(): Promise<number> {
    this.#running ??= this.#sendOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #sendOnce(): Promise<number> {
    const { run, keys, held } = this.#options;
    const begunMs = performance.now();
    const isSteady = begunMs - this.#sentMs < TIMING.silenceMs;
    // Sent together, in this order: what Redis has lost is back in the same moment in which it begins to be trusted again.
    const answers = [run('beat', [keys.trust], [TIMING.silenceMs, TIMING.graceMs])];
    for (const [tenantId, { running, queued, left }] of held.byTenant()) {
      const of = keys.ofTenant(tenantId);
      const counts = [isSteady ? 'steady' : 'back', running.length, queued.length];
      const args = [TIMING.leaseMs, TIMING.graceMs, ...counts, ...running, ...queued, ...left];
      answers.push(run('renew', [keys.trust, of.running, of.queued], args));
    }
    const [untrustedForMs] = await Promise.all(answers);
    this.#sentMs = begunMs;
    return Number(untrustedForMs);
  }
}
