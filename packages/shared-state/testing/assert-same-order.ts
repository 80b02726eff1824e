import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { createInProcessState, type SharedState, type SlotRequest } from '../src/index.ts';

const ACCOUNTS = ['a', 'b', 'c', 'd'];
const REQUESTS = 12;
const LIMITS = { account: 2, tenant: 3 };
const QUEUE_LIMITS = { account: 2, tenant: 4 };
/** Bids run out by the clock, so a history that a busy machine stretched says nothing. */
const HISTORY_MS_MAX = 1_000;

const step = fc.record({
  kind: fc.constantFrom('acquire', 'acquire', 'acquire', 'enqueue', 'release'),
  host: fc.nat(1),
  request: fc.nat(REQUESTS - 1),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Requests of one tenant by their numbers; one that was released is replaced, because an id is never used again. */
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
    // Some waits begin in the same millisecond.
    const sinceMs = 1_700_000_000_000 + Math.floor(number / 2);
    return { id: randomUUID(), tenantId: this.#tenantId, accountId: ACCOUNTS[number % ACCOUNTS.length] ?? '', sinceMs };
  }
}

async function runStep(state: SharedState, { kind }: Step, request: SlotRequest): Promise<string> {
  if (kind === 'acquire') return await state.slots.acquire(request, LIMITS);
  if (kind === 'enqueue') return await state.slots.enqueue(request, QUEUE_LIMITS);
  state.slots.release(request);
  // Sent behind the release on the same connection, so that the other host sees it from here on.
  await state.values.get('after the release');
  return 'released';
}

/** Takes the same steps in the shared state and in that of one process, whose grants follow `fairOrder`, and compares the answers. */
export async function assertSameOrder(hosts: () => readonly [SharedState, SharedState]): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      const model = createInProcessState();
      const requests = new Requests();
      const owners = new Map<string, number>();
      const begun = performance.now();
      const compared: { readonly step: Step; readonly answers: readonly [string, string] }[] = [];
      for (const taken of steps) {
        const request = requests.at(taken.request);
        // A request belongs to the host that made it.
        const owner = owners.get(request.id) ?? taken.host;
        owners.set(request.id, owner);
        const state = hosts()[owner] as SharedState;
        const answers = [await runStep(state, taken, request), await runStep(model, taken, request)] as const;
        compared.push({ step: taken, answers });
        if (taken.kind === 'release') requests.replace(taken.request);
      }
      for (let number = 0; number < REQUESTS; number += 1) {
        const request = requests.at(number);
        hosts()[owners.get(request.id) ?? 0]?.slots.release(request);
      }
      fc.pre(performance.now() - begun < HISTORY_MS_MAX);
      for (const { answers } of compared) expect(answers[0]).toBe(answers[1]);
    }),
    { numRuns: 60 },
  );
}
