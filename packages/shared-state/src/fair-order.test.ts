import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accountKey, fairOrder, type HeldSlots, type WaitingRequest } from './fair-order.ts';

const requests = fc.uniqueArray(
  fc.record({
    tenantId: fc.constantFrom('acme', 'globex', 'initech'),
    accountId: fc.constantFrom('ann', 'bob', 'cid'),
    sinceMs: fc.nat(10_000),
  }),
  { maxLength: 25, selector: ({ sinceMs }) => sinceMs },
);

/** Held slots of accounts; a tenant holds those of its accounts. */
const heldSlots = fc.array(fc.nat(4), { minLength: 9, maxLength: 9 }).map((counts): HeldSlots => {
  const held = new Map<string, number>();
  for (const [index, count] of counts.entries()) {
    const tenantId = ['acme', 'globex', 'initech'][index % 3] ?? '';
    const accountId = ['ann', 'bob', 'cid'][Math.floor(index / 3)] ?? '';
    held.set(accountKey({ tenantId, accountId }), count);
    held.set(tenantId, (held.get(tenantId) ?? 0) + count);
  }
  return {
    ofTenant: ({ tenantId }) => held.get(tenantId) ?? 0,
    ofAccount: (requester) => held.get(accountKey(requester)) ?? 0,
  };
});

/** Grants one request at a time, as the rule says: least of the tenant, least of the account, longest wait. */
function grantOneByOne(waiting: readonly WaitingRequest[], held: HeldSlots): WaitingRequest[] {
  const left = [...waiting];
  const granted: WaitingRequest[] = [];
  const ofTenant = (one: WaitingRequest): number =>
    held.ofTenant(one) + granted.filter(({ tenantId }) => tenantId === one.tenantId).length;
  const ofAccount = (one: WaitingRequest): number =>
    held.ofAccount(one) + granted.filter((other) => accountKey(other) === accountKey(one)).length;
  const firstOfTenant = (tenantId: string): WaitingRequest | undefined =>
    left
      .filter((one) => one.tenantId === tenantId)
      .sort((one, other) => ofAccount(one) - ofAccount(other) || one.sinceMs - other.sinceMs)[0];
  while (left.length > 0) {
    const [next] = [...new Set(left.map(({ tenantId }) => tenantId))]
      .flatMap((tenantId) => firstOfTenant(tenantId) ?? [])
      .sort((one, other) => ofTenant(one) - ofTenant(other) || one.sinceMs - other.sinceMs);
    if (next === undefined) break;
    granted.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return granted;
}

const none: HeldSlots = { ofTenant: () => 0, ofAccount: () => 0 };
const request = (tenantId: string, accountId: string, sinceMs: number): WaitingRequest => ({
  tenantId,
  accountId,
  sinceMs,
});

describe('fairOrder', () => {
  it('grants like the rule applied one request at a time', () => {
    fc.assert(
      fc.property(requests, heldSlots, (waiting, held) => {
        expect(fairOrder(waiting, held)).toEqual(grantOneByOne(waiting, held));
      }),
      { numRuns: 500 },
    );
  });

  it('returns every request once and leaves its input unchanged', () => {
    fc.assert(
      fc.property(requests, heldSlots, (waiting, held) => {
        const before = [...waiting];
        const ordered = fairOrder(waiting, held);
        expect(waiting).toEqual(before);
        expect(new Set(ordered)).toEqual(new Set(waiting));
        expect(ordered).toHaveLength(waiting.length);
      }),
    );
  });

  it('keeps the requests of one account in the order of their waits', () => {
    fc.assert(
      fc.property(requests, heldSlots, (waiting, held) => {
        const last = new Map<string, number>();
        for (const one of fairOrder(waiting, held)) {
          expect(one.sinceMs).toBeGreaterThan(last.get(accountKey(one)) ?? -1);
          last.set(accountKey(one), one.sinceMs);
        }
      }),
    );
  });

  it('does not depend on the order of its input', () => {
    const shuffled = requests.chain((waiting) =>
      fc.tuple(fc.constant(waiting), fc.shuffledSubarray(waiting, { minLength: waiting.length })),
    );
    fc.assert(
      fc.property(shuffled, heldSlots, ([waiting, other], held) => {
        expect(fairOrder(other, held)).toEqual(fairOrder(waiting, held));
      }),
    );
  });

  it('alternates between tenants, and between the accounts of a tenant', () => {
    const greedy = [1, 2, 3].map((sinceMs) => request('acme', 'ann', sinceMs));
    const [colleague, other] = [request('acme', 'bob', 4), request('globex', 'cid', 5)];
    expect(fairOrder([...greedy, colleague, other], none)).toEqual([greedy[0], other, colleague, greedy[1], greedy[2]]);
  });
});
