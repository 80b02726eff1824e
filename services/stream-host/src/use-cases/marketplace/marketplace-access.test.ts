import { describe, expect, it } from '@jest/globals';
import type { AccessRequest, AuditRecord } from '@sluice/contract';
import type { MarketplaceAccessStore, MarketplaceChanges, StoredItem } from '@sluice/store/marketplace';
import { buildCaller } from '@sluice/testkit';
import { createDecideAccess, createListAccessRequests, createRequestAccess } from './marketplace-access.ts';

const owner = buildCaller('owner');
const admin = buildCaller('admin', ['admin']);
const other = buildCaller('other');

const REQUEST = { request_id: 'q', user: 'other@example.com', reason: 'work', expires_ts: null, note: null };
const made = REQUEST as unknown as AccessRequest;

interface Outcomes {
  readonly request?: Awaited<ReturnType<MarketplaceAccessStore['request']>> | undefined;
  readonly decide?: Awaited<ReturnType<MarketplaceAccessStore['decide']>> | undefined;
}

/** Store with one item of `owner`. */
function fixture(outcomes: Outcomes = {}) {
  const { request, decide } = { request: made, decide: made, ...outcomes };
  const calls: unknown[] = [];
  const records: AuditRecord[] = [];
  const find = async (tenantId: string, _grantee: unknown, id: string) =>
    tenantId === 't' && id === 'item'
      ? ({ id: 'item', owner: { kind: 'user', id: 'owner', name: 'owner@example.com' } } as unknown as StoredItem)
      : undefined;
  const stores = {
    marketplace: { find, lock: find },
    marketplaceAccess: {
      request: async (input: unknown, record: (made: AccessRequest) => AuditRecord) => {
        calls.push(input);
        records.push(record(made));
        return request;
      },
      requests: async (...input: unknown[]) => {
        calls.push(input);
        return [made];
      },
      decide: async (input: unknown, record: (made: AccessRequest) => AuditRecord) => {
        calls.push(input);
        records.push(record(made));
        return decide;
      },
    },
  };
  const dependencies = {
    ...stores,
    marketplaceChanges: {
      change: ((_tenantId, work) => work(stores as never)) satisfies MarketplaceChanges['change'],
    },
    audit: { append: async (record: AuditRecord) => void records.push(record) },
  };
  return {
    calls,
    records,
    requestAccess: createRequestAccess(dependencies),
    list: createListAccessRequests(dependencies),
    decide: createDecideAccess(dependencies),
  };
}

const decision = { id: 'item', requestId: 'q', state: 'APPROVED' } as const;

describe('a request for access', () => {
  it('is stored for the account of the caller, with a record', async () => {
    const { requestAccess, calls, records } = fixture();
    expect(await requestAccess(other, { id: 'item', reason: 'work' })).toBe(made);
    const account = { kind: 'user', id: 'other', name: 'other@example.com' };
    expect(calls).toEqual([{ tenantId: 't', itemId: 'item', account, reason: 'work' }]);
    expect(records).toMatchObject([{ action: 'REQUEST_ACCESS', target: 'item', metadata: REQUEST }]);
  });

  it('is rejected with conflict while an earlier one is undecided', async () => {
    const { requestAccess } = fixture({ request: 'waiting' });
    await expect(requestAccess(other, { id: 'item', reason: '' })).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('the requests of an item', () => {
  it.each([
    ['all to its owner', owner, undefined, 'all'],
    ['all to an admin', admin, undefined, 'all'],
    ['their own to others', other, 'other', 'own'],
  ])('are returned, %s, with a record', async (_name, caller, accountId, requests) => {
    const { list, calls, records } = fixture();
    expect(await list(caller, 'item')).toEqual([made]);
    expect(calls).toEqual([['t', 'item', accountId]]);
    expect(records).toMatchObject([{ action: 'READ_MARKETPLACE', target: 'item', metadata: { requests } }]);
  });
});

describe('a decision', () => {
  it.each([
    ['the owner approves', owner, 'APPROVED', 'APPROVE_ACCESS'],
    ['an admin refuses', admin, 'REFUSED', 'REFUSE_ACCESS'],
  ] as const)('is stored with the name of its author and a record: %s', async (_name, caller, state, action) => {
    const { decide, calls, records } = fixture();
    await decide(caller, { ...decision, state, note: 'why' });
    expect(calls).toMatchObject([{ requestId: 'q', by: caller.principal.name, state, expiresTs: null, note: 'why' }]);
    expect(records).toMatchObject([{ action, target: 'item' }]);
  });

  it('is denied to others, also to the account that asked', async () => {
    const { decide, calls } = fixture();
    await expect(decide(other, decision)).rejects.toMatchObject({ code: 'access_denied' });
    expect(calls).toEqual([]);
  });

  it('is rejected for an expiry in the past', async () => {
    const { decide, calls } = fixture();
    await expect(decide(owner, { ...decision, expiresTs: 1 })).rejects.toMatchObject({ code: 'invalid_request' });
    expect(calls).toEqual([]);
  });

  it.each([
    ['not_found for an unknown request', undefined, 'not_found'],
    ['conflict for a request that is decided', 'decided', 'conflict'],
    ['conflict for an item with its maximum of grants', 'full', 'conflict'],
  ] as const)('throws %s', async (_name, outcome, code) => {
    const { decide } = fixture({ decide: outcome });
    await expect(decide(owner, decision)).rejects.toMatchObject({ code });
  });
});

it('an item that the caller may not see does not exist, whatever the request', async () => {
  const { requestAccess, list, decide } = fixture();
  for (const attempt of [
    requestAccess(other, { id: 'hidden', reason: '' }),
    list(other, 'hidden'),
    decide(owner, { ...decision, id: 'hidden' }),
  ]) {
    await expect(attempt).rejects.toMatchObject({ code: 'not_found' });
  }
});
