import { describe, expect, it } from '@jest/globals';
import type { AuditRecord, Caller } from '@sluice/contract';
import { createInProcessState } from '@sluice/shared-state';
import { buildCaller } from '@sluice/testkit';
import { RunningQueries, type RunningQuery } from '../../queries/running-queries.ts';
import { WaitingQueries } from '../../queries/waiting-queries.ts';
import { cancelTenantQuery, listTenantQueries } from './tenant-queries.ts';

const admin = buildCaller('admin', ['admin']);
const row = (queryId: string, sinceMs: number, tenantId = 't') => ({
  queryId,
  tenantId,
  userName: 'ann@example.com',
  action: 'RUN_QUERY',
  sql: 'SELECT 1',
  sinceMs,
});
const running = (query_id: string, started_ts: number, action = 'DOWNLOAD_DATAMAP') =>
  ({
    query_id,
    user: 'bob@example.com',
    action,
    sql: 'SELECT 2',
    state: 'RUNNING',
    started_ts,
    rows: 0,
    bytes: 0,
  }) as never;

interface Given {
  readonly stored?: 'RUNNING' | 'FINISHED';
  readonly waits?: 'here' | 'elsewhere';
  /** Whether the row of the query is still open when it is cancelled. */
  readonly isOpen?: boolean;
}

function fixture({ stored, waits, isOpen = true }: Given = {}) {
  const calls: string[] = [];
  const records: AuditRecord[] = [];
  const live = new RunningQueries();
  const waiting = new WaitingQueries();
  if (stored === 'RUNNING')
    live.add({
      queryId: 'q',
      state: 'RUNNING',
      rows: 7,
      bytes: 70,
      stop: ({ message }) => void calls.push(`stop: ${message}`),
    } as RunningQuery);
  if (waits === 'here')
    waiting.add({ ...row('q', 1), cancel: ({ message }: Error) => void calls.push(`cancel: ${message}`) } as never);
  const receipt = { query_id: 'q', state: stored, rows: 0, bytes: 0, ended_ts: stored === 'FINISHED' ? 9 : null };
  const dependencies = {
    queries: { find: async () => (stored === undefined ? undefined : ({ receipt } as never)) },
    tenantQueries: {
      listRunning: async () => [
        running('runs', 3),
        running('acquired', 2),
        running('unknown', 5, 'OF_A_LATER_VERSION'),
      ],
      cancel: async ({ audit }: { readonly audit: AuditRecord }) => {
        if (isOpen) records.push(audit);
        return isOpen;
      },
    },
    waiting,
    waitingQueries: {
      listOfTenant: async () => [row('elsewhere', 1), row('acquired', 2)] as never,
      find: async () => (waits === 'elsewhere' ? (row('q', 1) as never) : undefined),
    },
    audit: { append: async (record: AuditRecord) => void records.push(record) },
    running: live,
    shared: { state: createInProcessState() },
  };
  return {
    calls,
    records,
    waiting,
    list: (caller: Caller) => listTenantQueries(dependencies, caller),
    cancel: () => cancelTenantQuery(dependencies, admin, 'q'),
  };
}

const BY_ADMIN = 'The query was cancelled by an admin of its tenant.';

describe('the open queries of a tenant', () => {
  it('are those of all accounts and hosts, each once, oldest first; the read is recorded', async () => {
    const { list, waiting, records } = fixture();
    for (const own of [row('waits', 4), row('foreign', 0, 'other')])
      waiting.add({ ...own, cancel: () => undefined } as never);
    const { data } = await list(admin);
    expect(data.map(({ query_id, state, kind }) => [query_id, state, kind])).toEqual([
      ['elsewhere', 'QUEUED', 'QUERY'],
      ['acquired', 'RUNNING', 'DATAMAP'],
      ['runs', 'RUNNING', 'DATAMAP'],
      ['waits', 'QUEUED', 'QUERY'],
      ['unknown', 'RUNNING', 'QUERY'],
    ]);
    expect(records).toMatchObject([{ action: 'READ_QUERIES', target: 'acme' }]);
  });
});

describe('a cancel by an admin', () => {
  it('of a running query is recorded with its row, and stops it', async () => {
    const { cancel, calls, records } = fixture({ stored: 'RUNNING' });
    expect(await cancel()).toMatchObject({ rows: 7, bytes: 70 });
    expect(calls).toEqual([`stop: ${BY_ADMIN}`]);
    expect(records).toMatchObject([
      { action: 'CANCEL_QUERY', target: 'q', queryId: 'q', metadata: { by_admin: true } },
    ]);
  });

  it.each(['here', 'elsewhere'] as const)('of a query that waits %s ends the wait', async (waits) => {
    const { cancel, calls, records } = fixture({ waits });
    expect(await cancel()).toMatchObject({ query_id: 'q', state: 'QUEUED' });
    expect(calls).toEqual(waits === 'here' ? [`cancel: ${BY_ADMIN}`] : []);
    expect(records).toHaveLength(1);
  });

  it('of a query that waits here and has no row yet is recorded all the same', async () => {
    const { cancel, calls, records } = fixture({ waits: 'here', isOpen: false });
    await cancel();
    expect([calls.length, records.length]).toEqual([1, 1]);
  });

  it.each([
    [{}, 'not_found'],
    [{ stored: 'FINISHED' }, 'conflict'],
    [{ stored: 'RUNNING', isOpen: false }, 'conflict'],
    [{ waits: 'elsewhere', isOpen: false }, 'conflict'],
  ] as const)('of %j is rejected, stops nothing and is not recorded', async (given, code) => {
    const { cancel, calls, records } = fixture(given);
    await expect(cancel()).rejects.toMatchObject({ code });
    expect([calls, records]).toEqual([[], []]);
  });
});
