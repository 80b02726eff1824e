import { describe, expect, it } from '@jest/globals';
import type { AuditRecord, Caller, Receipt } from '@sluice/contract';
import type { WaitingQueryRow } from '@sluice/store/queries';
import { RunningQueries, type RunningQuery } from '../../queries/running-queries.ts';
import { WaitingQueries } from '../../queries/waiting-queries.ts';
import { createCancelQuery } from './cancel-query.ts';

const caller = {
  principal: {
    tenant: { id: 't' },
    kind: 'user',
    id: 'u',
    name: 'ann@example.com',
    permissions: new Set(['audit:read']),
  },
  requestId: 'r',
  address: '192.0.2.1',
} as unknown as Caller;
const RECEIPT: Receipt = {
  query_id: 'q',
  state: 'RUNNING',
  rows: 0,
  bytes: 0,
  sha256: null,
  limited: false,
  started_ts: 1,
  ended_ts: null,
  error: null,
};
const WAITING: WaitingQueryRow = {
  queryId: 'q',
  tenantId: 't',
  accountKind: 'user',
  accountId: 'u',
  userName: 'ann@example.com',
  action: 'RUN_QUERY',
  sql: 'SELECT 1',
  sinceMs: 1,
};

interface Given {
  readonly owner?: { readonly accountKind: 'user' | 'client'; readonly accountId: string };
  /** The stored query; undefined if it has no record yet. */
  readonly receipt?: Receipt | undefined;
  readonly runsHere?: boolean;
  readonly waitsHere?: boolean;
  readonly waitsElsewhere?: boolean;
  readonly auditFails?: Error;
}

function fixture(given: Given = {}) {
  const { owner = { accountKind: 'user', accountId: 'u' } } = given;
  const receipt = 'receipt' in given ? given.receipt : RECEIPT;
  const calls: string[] = [];
  const records: AuditRecord[] = [];
  const running = new RunningQueries();
  const waiting = new WaitingQueries();
  if (given.runsHere === true)
    running.add({
      queryId: 'q',
      state: 'RUNNING',
      rows: 7,
      bytes: 0,
      stop: ({ message }) => void calls.push(`stop: ${message}`),
    } as RunningQuery);
  if (given.waitsHere === true)
    waiting.add({ ...WAITING, ...owner, cancel: ({ message }) => void calls.push(`cancel: ${message}`) });
  const cancel = createCancelQuery({
    queries: {
      find: async () => receipt && ({ ...owner, receipt } as never),
      requestCancel: async (tenantId, queryId) => void calls.push(`request ${tenantId} ${queryId}`),
    },
    waitingQueries: {
      find: async () => (given.waitsElsewhere === true ? { ...WAITING, ...owner } : undefined),
      requestCancel: async (tenantId, queryId) => void calls.push(`request of waiting ${tenantId} ${queryId}`),
    },
    audit: {
      async append(record) {
        calls.push('record');
        if (given.auditFails !== undefined) throw given.auditFails;
        records.push(record);
      },
    },
    running,
    waiting,
    shared: { state: { values: { get: async () => undefined } } } as never,
  });
  return { calls, records, cancel: () => cancel(caller, 'q') };
}

const STOP = 'stop: The query was cancelled by its caller.';
const CANCEL = 'cancel: The query was cancelled by its caller.';

describe('a cancel', () => {
  it('is recorded, then requested for every host, then applied on this one', async () => {
    const { cancel, calls, records } = fixture({ runsHere: true });
    expect(await cancel()).toEqual({ receipt: { ...RECEIPT, rows: 7 }, wasOver: false });
    expect(calls).toEqual(['record', 'request t q', STOP]);
    expect(records).toMatchObject([{ action: 'CANCEL_QUERY', target: 'q', queryId: 'q', user: 'ann@example.com' }]);
  });

  it('reaches a query on another host by the request only', async () => {
    const { cancel, calls } = fixture();
    expect((await cancel()).wasOver).toBe(false);
    expect(calls).toEqual(['record', 'request t q']);
  });

  it('of a query that is over changes and records nothing', async () => {
    const receipt: Receipt = { ...RECEIPT, state: 'FINISHED', ended_ts: 2 };
    const { cancel, calls } = fixture({ receipt });
    expect(await cancel()).toEqual({ receipt, wasOver: true });
    expect(calls).toEqual([]);
  });

  it.each([{ waitsHere: true }, { waitsElsewhere: true }])(
    'of a waiting query is requested as waiting and as running, because it may begin meanwhile: %j',
    async (where) => {
      const { cancel, calls } = fixture({ receipt: undefined, ...where });
      expect(await cancel()).toMatchObject({ receipt: { query_id: 'q', state: 'QUEUED' }, wasOver: false });
      const applied = where.waitsHere === true ? [CANCEL] : [];
      expect(calls).toEqual(['record', 'request of waiting t q', 'request t q', ...applied]);
    },
  );

  it.each<Given>([{ runsHere: true }, { receipt: undefined, waitsHere: true }])(
    'has no effect if it cannot be recorded: %j',
    async (given) => {
      const { cancel, calls } = fixture({ ...given, auditFails: new Error('no audit') });
      await expect(cancel()).rejects.toThrow('no audit');
      expect(calls).toEqual(['record']);
    },
  );

  it.each<Given>([
    { owner: { accountKind: 'user', accountId: 'v' }, runsHere: true },
    { owner: { accountKind: 'client', accountId: 'u' }, runsHere: true },
    { owner: { accountKind: 'user', accountId: 'v' }, receipt: undefined, waitsHere: true },
    { owner: { accountKind: 'user', accountId: 'v' }, receipt: undefined, waitsElsewhere: true },
    { receipt: undefined },
  ])('of a query of another account, also with audit:read, or of none, is not_found: %j', async (given) => {
    const { cancel, calls } = fixture(given);
    await expect(cancel()).rejects.toMatchObject({ code: 'not_found' });
    expect(calls).toEqual([]);
  });
});
