import { describe, expect, it } from '@jest/globals';
import { type AuditRecord, type Caller, ITEM_GRANTS_MAX } from '@sluice/contract';
import type { Administration, GrantKey, StoredItemGrant } from '@sluice/store/administration';
import { createCreateGrant, createRemoveGrant, createUpdateGrant, grantKeyOf } from './change-grants.ts';

const caller = {
  principal: { tenant: { id: 't', name: 'acme' }, kind: 'user', id: 'me', name: 'me@example.com' },
  requestId: 'r',
  address: '192.0.2.1',
} as unknown as Caller;
const FUTURE = Date.now() + 3_600_000;

type Grant = GrantKey & { expires_ts: number | null; version: number };

interface Given {
  readonly grants?: readonly Grant[];
  readonly unknownGrantee?: boolean;
  readonly recordFails?: Error;
}

const grantOf = (name: string, change: Partial<Grant> = {}): Grant => ({
  itemId: 'sales',
  kind: 'role',
  name,
  expires_ts: null,
  version: 1,
  ...change,
});

/** The item sales. A change that throws is rolled back. */
function fixture({ grants: initial = [], unknownGrantee = false, recordFails }: Given = {}) {
  const calls: string[] = [];
  const records: AuditRecord[] = [];
  let rows: Grant[] = [...initial];
  const isSame = (key: GrantKey) => (row: Grant) =>
    row.itemId === key.itemId && row.kind === key.kind && row.name === key.name;
  const within = {
    grants: {
      async lockItem(id: string) {
        calls.push(`lock item ${id}`);
        return id === 'sales';
      },
      lock: async (key: GrantKey) => rows.find(isSame(key)) as unknown as StoredItemGrant | undefined,
      async insert(key: GrantKey, { expiresTs }: { expiresTs: number | null }) {
        if (rows.some(isSame(key))) return false;
        rows.push({ ...key, expires_ts: expiresTs, version: 1 });
        return true;
      },
      async update(key: GrantKey, { expiresTs }: { expiresTs: number | null }) {
        calls.push('update');
        rows = rows.map((row) =>
          isSame(key)(row) ? { ...row, expires_ts: expiresTs, version: row.version + 1 } : row,
        );
      },
      remove: async (key: GrantKey) => {
        rows = rows.filter((row) => !isSame(key)(row));
      },
    },
    content: {
      marketplaceAccess: {
        grants: async () => rows.map(({ kind, name, expires_ts }) => ({ kind, name, expires_ts })),
        unknownGrantees: async (_tenantId: string, named: readonly object[]) => (unknownGrantee ? named : []),
      },
    },
    async record(record: AuditRecord) {
      if (recordFails !== undefined) throw recordFails;
      records.push(record);
    },
  } as unknown as Administration;
  const administration = {
    async change<T>(_tenantId: string, work: (found: Administration) => Promise<T>): Promise<T> {
      const before = rows;
      rows = [...rows];
      try {
        return await work(within);
      } catch (thrown) {
        rows = before;
        throw thrown;
      }
    },
  };
  return {
    calls,
    records,
    rows: () => rows,
    create: createCreateGrant({ administration }),
    update: createUpdateGrant({ administration }),
    remove: createRemoveGrant({ administration }),
  };
}

const REQUEST = { item_id: 'sales', kind: 'role', name: 'analyst' } as const;
const target = { itemId: 'sales', kind: 'role', name: 'analyst', version: 1 } as const;
const shown = { kind: 'role', name: 'analyst', expires_ts: null };

it('the key of a grant has the e-mail of a user in lower case, and any other name as it is', () => {
  expect(grantKeyOf({ item_id: 'i', kind: 'user', name: 'Ann@Example.com' }).name).toBe('ann@example.com');
  expect(grantKeyOf({ item_id: 'i', kind: 'role', name: 'Analyst' }).name).toBe('Analyst');
});

describe('a new grant', () => {
  it('is recorded with all grants of its item before and after, which the lock of the item keeps still', async () => {
    const { create, records, calls } = fixture({ grants: [grantOf('etl')] });
    await create(caller, REQUEST);
    expect(calls[0]).toBe('lock item sales');
    const before = [{ ...shown, name: 'etl' }];
    expect(records).toMatchObject([
      { action: 'GRANT_MARKETPLACE_ITEM', target: 'sales', metadata: { before, after: [...before, shown] } },
    ]);
  });

  it.each<[string, Given, object, object]>([
    ['an unknown item', {}, { item_id: 'other' }, { code: 'invalid_request', details: [{ path: 'body.item_id' }] }],
    ['an unknown grantee', { unknownGrantee: true }, {}, { code: 'invalid_request', details: [{ path: 'body.name' }] }],
    ['a past expiry', {}, { expires_ts: 1 }, { code: 'invalid_request' }],
    ['a grant that exists', { grants: [grantOf('analyst')] }, {}, { code: 'conflict' }],
    [
      'an item with its maximum of grants',
      { grants: Array.from({ length: ITEM_GRANTS_MAX }, (_, index) => grantOf(`role ${index}`)) },
      {},
      { code: 'conflict' },
    ],
  ])('is rejected for %s, and nothing is written', async (_name, given, change, problem) => {
    const { create, records, rows } = fixture(given);
    await expect(create(caller, { ...REQUEST, ...change })).rejects.toMatchObject(problem);
    expect([rows(), records]).toEqual([given.grants ?? [], []]);
  });
});

describe('a change of the expiry', () => {
  it('is recorded, also if it changes nothing, which keeps the version', async () => {
    const { update, records, rows, calls } = fixture({ grants: [grantOf('analyst')] });
    await update(caller, { target, expiresTs: null });
    expect([calls.includes('update'), rows()[0]?.version]).toEqual([false, 1]);
    await update(caller, { target, expiresTs: FUTURE });
    expect(rows()).toMatchObject([{ expires_ts: FUTURE, version: 2 }]);
    expect(records.map(({ metadata }) => metadata)).toEqual([
      { before: [shown], after: [shown] },
      { before: [shown], after: [{ ...shown, expires_ts: FUTURE }] },
    ]);
  });

  it('to a past time is rejected, unless the grant has it already', async () => {
    const { update } = fixture({ grants: [grantOf('analyst', { expires_ts: 5 })] });
    await expect(update(caller, { target, expiresTs: 6 })).rejects.toMatchObject({ code: 'invalid_request' });
    await update(caller, { target, expiresTs: 5 });
  });
});

describe.each(['update', 'remove'] as const)('%s', (name) => {
  const send = (made: ReturnType<typeof fixture>, change: object) => {
    const wanted = { ...target, ...change };
    return name === 'remove' ? made.remove(caller, wanted) : made.update(caller, { target: wanted, expiresTs: FUTURE });
  };

  it.each([
    [{ name: 'other' }, 'not_found'],
    [{ kind: 'user' }, 'not_found'],
    [{ version: 2 }, 'precondition_failed'],
  ])('of %j is rejected and records nothing', async (change, code) => {
    const made = fixture({ grants: [grantOf('analyst')] });
    await expect(send(made, change)).rejects.toMatchObject({ code });
    expect(made.records).toEqual([]);
  });

  it('fails and keeps the grant if it cannot be recorded', async () => {
    const made = fixture({ grants: [grantOf('analyst')], recordFails: new Error('no audit') });
    await expect(send(made, {})).rejects.toThrow('no audit');
    expect(made.rows()).toEqual([grantOf('analyst')]);
  });
});

it('a removed grant is in the record before, and not after', async () => {
  const { remove, records, rows } = fixture({ grants: [grantOf('analyst')] });
  await remove(caller, target);
  expect([rows(), records[0]?.metadata]).toEqual([[], { before: [shown], after: [] }]);
});
