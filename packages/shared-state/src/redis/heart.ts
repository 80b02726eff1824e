import type { HeldClaims } from './held-claims.ts';
import type { PlaceKeys } from './place-keys.ts';
import type { RunScript } from './scripted-client.ts';
import { TIMING } from './timing.ts';

export interface HeartOptions {
  readonly run: RunScript;
  readonly keys: PlaceKeys;
  readonly held: HeldClaims;
}

/** Tells Redis, again and again, that this host lives and what it holds. */
export class Heart {
  readonly #options: HeartOptions;
  #beatenMs = Number.NEGATIVE_INFINITY;
  #running: Promise<number> | undefined;

  constructor(options: HeartOptions) {
    this.#options = options;
  }

  /**
   * Answers the milliseconds until places are given, 0 when they are. Rejects when Redis does not answer. Who calls while it beats
   * gets the same answer.
   */
  beat(): Promise<number> {
    this.#running ??= this.#beatOnce().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #beatOnce(): Promise<number> {
    const { run, keys, held } = this.#options;
    const begunMs = performance.now();
    const isSteady = begunMs - this.#beatenMs < TIMING.silenceMs;
    // Sent together, in this order: what Redis has lost is back in the same moment in which it begins to be trusted again.
    const answers = [run('beat', [keys.trust], [TIMING.silenceMs, TIMING.graceMs])];
    for (const [tenantId, { running, queued, left }] of held.byTenant()) {
      const of = keys.ofTenant(tenantId);
      const counts = [isSteady ? 'steady' : 'back', running.length, queued.length];
      const args = [TIMING.leaseMs, TIMING.graceMs, ...counts, ...running, ...queued, ...left];
      answers.push(run('renew', [keys.trust, of.running, of.queued], args));
    }
    const [untrustedForMs] = await Promise.all(answers);
    this.#beatenMs = begunMs;
    return Number(untrustedForMs);
  }
}
