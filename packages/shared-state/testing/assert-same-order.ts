import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { createInProcessState, type SharedState, type SlotRequest } from '../src/index.ts';

const ACCOUNTS = ['a', 'b', 'c', 'd'];
const REQUESTS = 12;
const LIMITS = { account: 2, tenant: 3 };
const QUEUE_LIMITS = { account: 2, tenant: 4 };
/** Contending requests expire by the clock, so a history that took longer on a busy machine proves nothing. */
const HISTORY_MS_MAX = 1_000;

const step = fc.record({
  kind: fc.constantFrom('acquire', 'acquire', 'acquire', 'enqueue', 'release'),
  host: fc.nat(1),
  request: fc.nat(REQUESTS - 1),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Requests of one tenant by number. A released request is replaced, because ids are never reused. */
class Requests {
  readonly #tenantId = randomUUID();
  readonly #byNumber: SlotRequest[] = Array.from({ length: REQUESTS }, (_, number) => this.#create(number));

  at(number: number): SlotRequest {
    return this.#byNumber[number] as SlotRequest;
  }

  replace(number: number): void {
    this.#byNumber[number] = this.#create(number);
  }

  #create(number: number): SlotRequest {
    // Some waits start in the same millisecond.
    const sinceMs = 1_700_000_000_000 + Math.floor(number / 2);
    return { id: randomUUID(), tenantId: this.#tenantId, accountId: ACCOUNTS[number % ACCOUNTS.length] ?? '', sinceMs };
  }
}

async function runStep(state: SharedState, { kind }: Step, request: SlotRequest): Promise<string> {
  if (kind === 'acquire') return await state.slots.acquire(request, LIMITS);
  if (kind === 'enqueue') return await state.slots.enqueue(request, QUEUE_LIMITS);
  state.slots.release(request);
  // Follows the release on the same connection, so that the other host sees the release afterwards.
  await state.values.get('after the release');
  return 'released';
}

/** Asserts that the shared state returns the same results as the in-process state, whose grants follow `fairOrder`. */
export async function assertSameOrder(hosts: () => readonly [SharedState, SharedState]): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      const model = createInProcessState();
      const requests = new Requests();
      const owners = new Map<string, number>();
      const startedMs = performance.now();
      const compared: (readonly [string, string])[] = [];
      for (const step of steps) {
        const request = requests.at(step.request);
        // A request belongs to the host that created it.
        const owner = owners.get(request.id) ?? step.host;
        owners.set(request.id, owner);
        const state = hosts()[owner] as SharedState;
        compared.push([await runStep(state, step, request), await runStep(model, step, request)]);
        if (step.kind === 'release') requests.replace(step.request);
      }
      for (let number = 0; number < REQUESTS; number += 1) {
        const request = requests.at(number);
        hosts()[owners.get(request.id) ?? 0]?.slots.release(request);
      }
      fc.pre(performance.now() - startedMs < HISTORY_MS_MAX);
      for (const [result, expected] of compared) expect(result).toBe(expected);
    }),
    { numRuns: 60 },
  );
}
