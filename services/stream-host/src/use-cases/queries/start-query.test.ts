import { describe, expect, it } from '@jest/globals';
import { type Caller, ProblemError, STATEMENT_BYTES_MAX } from '@sluice/contract';
import type { SentEvent } from '@sluice/engine';
import { SILENT_TRACER } from '@sluice/observability';
import type { QueryJob, WorkerLease } from '@sluice/query-worker';
import type { QueryEnd } from '@sluice/store/queries';
import { until } from '@sluice/testkit';
import type { KeptResults } from '../../queries/kept-results.ts';
import { RunningQueries } from '../../queries/running-queries.ts';
import { StatementBudget } from '../../queries/statement-budget.ts';
import { WaitingQueries } from '../../queries/waiting-queries.ts';
import type { QueryInput } from './query-input.ts';
import { createStartQuery } from './start-query.ts';

const tenant = { id: 't', name: 'acme', state: 'active', settings: { query_time_limit_seconds: 60 } };
const callerAt = (authenticatedAtMs: number): Caller =>
  ({
    principal: { tenant, kind: 'user', id: 'u', name: 'ann@example.com', secretId: 's', authenticatedAtMs },
    requestId: 'r',
    address: '192.0.2.1',
  }) as unknown as Caller;

interface Given {
  readonly authenticatedMsAgo?: number;
  readonly acquire?: (cancel: (reason: ProblemError) => void, signal: AbortSignal) => Promise<WorkerLease>;
  readonly beginFails?: ProblemError;
  readonly tablesThrow?: ProblemError;
  readonly runThrows?: Error;
  readonly stopDue?: (running: RunningQueries) => Promise<void>;
  readonly keeps?: boolean;
}

/** Notes what happens to the result that a query keeps. */
const keptResultsOf = (calls: string[]): Pick<KeptResults, 'begin'> => ({
  async begin() {
    calls.push('begin keeping');
    return {
      spec: { tenantId: 't', queryId: 'q', key: '', engine: 'duckdb', ranAtMs: 1, sqlSha256: '', parameters: '' },
      onStored: () => true,
      failure: undefined,
      finish: async () => ({ untilMs: 1 }),
      abandon: async () => void calls.push('abandon keeping'),
      revoke: async () => undefined,
    };
  },
});

async function* namedTables({ tablesThrow }: Given): AsyncGenerator<SentEvent> {
  if (tablesThrow !== undefined) throw tablesThrow;
  yield { kind: 'columns', columns: [], tables: [{ catalog: 'shop', schema: 'main', name: 'items' }] };
  yield { kind: 'end', limited: false };
}

function fixture(given: Given = {}) {
  const calls: string[] = [];
  const began: unknown[] = [];
  const failures: QueryEnd[] = [];
  const jobs: QueryJob[] = [];
  const running = new RunningQueries();
  const waiting = new WaitingQueries();
  const abort = new AbortController();
  const lease: WorkerLease = {
    run: (job, signal) => {
      if (job.wants === 'tables') return namedTables(given);
      if (given.runThrows !== undefined) throw given.runThrows;
      jobs.push(job);
      return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(signal.reason ?? new Error('runs')) }) };
    },
    [Symbol.dispose]: () => void calls.push('release worker'),
  };
  const statementBudget = new StatementBudget({
    audit: { append: async ({ action }) => void calls.push(action) },
    events: {} as never,
  });
  const start = createStartQuery({
    hostId: 'host',
    queries: {
      async begin(record) {
        calls.push('begin');
        began.push(record);
        if (given.beginFails !== undefined) throw given.beginFails;
      },
    },
    async stopDueQueries() {
      calls.push('check caller');
      await given.stopDue?.(running);
    },
    admission: {
      async acquire(_requester, signal) {
        calls.push(`acquire, ${waiting.all().length} waiting`);
        const cancel = (reason: ProblemError) => waiting.find('t', 'q')?.cancel(reason);
        return (await given.acquire?.(cancel, signal)) ?? lease;
      },
    },
    waiting,
    running,
    resolveEngine: () => ({ kind: 'duckdb', key: 'e', profile: {} }) as never,
    limitDefaults: { queriesPerUser: 1, queriesPerTenant: 2, queryTimeLimitMs: 1_000 } as never,
    slowReader: {} as never,
    outcomes: {
      enqueueFailure: (end: QueryEnd) => void failures.push(end),
      record: async () => undefined,
    } as never,
    events: { queryStarted: () => undefined, queryEnded: () => undefined, auditFailed: () => undefined } as never,
    statementBudget,
    sseHeartbeatMs: 1_000,
    tracer: SILENT_TRACER,
    keptResults: given.keeps === true ? keptResultsOf(calls) : undefined,
    detachedQueries: undefined,
  });
  const input = {
    queryId: 'q',
    action: 'RUN_QUERY',
    sql: 'SELECT 1',
    format: { name: 'csv' },
    timeZone: 'UTC',
    rowsMax: undefined,
    metadata: { size: null },
    signal: abort.signal,
    reader: {},
  } as unknown as QueryInput;
  const caller = callerAt(performance.now() - (given.authenticatedMsAgo ?? 0));
  return {
    ...{ calls, began, failures, jobs, running, waiting, abort, statementBudget, caller },
    start: (more: Partial<QueryInput> = {}) => start(caller, { ...input, ...more }),
  };
}

describe('a query', () => {
  it('waits for a worker, is recorded, and then counts as running instead of waiting', async () => {
    const { start, calls, began, running, waiting } = fixture();
    expect((await start()).queryId).toBe('q');
    expect(calls).toEqual(['acquire, 1 waiting', 'begin']);
    expect(began).toMatchObject([
      { tenantId: 't', user: 'ann@example.com', action: 'RUN_QUERY', target: 'q', queryId: 'q', accountId: 'u' },
    ]);
    expect(began).toMatchObject([{ accountKind: 'user', secretId: 's', hostId: 'host', sql: 'SELECT 1' }]);
    expect([running.size, waiting.all()]).toEqual([1, []]);
  });

  it('is recorded with the tables that it names, before it runs', async () => {
    const { start, began, jobs } = fixture();
    await start();
    expect(began).toMatchObject([{ metadata: { size: null, tables_read: ['shop.main.items'] } }]);
    expect(jobs.map(({ wants }) => wants)).toEqual([undefined]);
  });

  it('that the engine rejects is recorded without tables, and fails with the rejection without running', async () => {
    const problem = new ProblemError('syntax_error', 'There is no statement.');
    const { start, began, jobs, calls } = fixture({ tablesThrow: problem });
    await expect((await start()).begin()).rejects.toBe(problem);
    expect(began).toMatchObject([{ metadata: { tables_read: null } }]);
    expect([jobs, calls]).toEqual([[], ['acquire, 1 waiting', 'begin', 'release worker']]);
  });

  it('without a worker leaves no record, and no query that waits', async () => {
    const problem = new ProblemError('too_many_requests', 'The queue is full.');
    const { start, calls, running, waiting } = fixture({ acquire: () => Promise.reject(problem) });
    await expect(start()).rejects.toBe(problem);
    expect(calls).toEqual(['acquire, 1 waiting']);
    expect([running.size, waiting.all()]).toEqual([0, []]);
  });

  it('of an account without a budget is rejected before it waits, and leaves no row', async () => {
    const { start, calls, statementBudget, caller } = fixture();
    statementBudget.begins(caller, { sql: ' '.repeat(STATEMENT_BYTES_MAX) });
    await expect(start()).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(calls).toEqual(['LIMIT_STATEMENTS']);
  });

  it('that is cancelled while it waits is recorded, and runs nothing', async () => {
    const reason = new ProblemError('query_cancelled', 'The query was cancelled by its caller.');
    const { start, calls, jobs } = fixture({
      acquire: async (cancel, signal) => {
        cancel(reason);
        throw signal.reason;
      },
    });
    const run = await start();
    await expect(run.begin()).rejects.toBe(reason);
    expect([calls, jobs]).toEqual([['acquire, 1 waiting', 'begin'], []]);
  });

  it('whose client disconnects while it waits leaves no record', async () => {
    const made = fixture({
      acquire: async (_cancel, signal) => {
        made.abort.abort(new ProblemError('query_cancelled', 'The client closed the connection.'));
        throw signal.reason;
      },
    });
    await expect(made.start()).rejects.toMatchObject({ code: 'query_cancelled' });
    expect(made.calls).toEqual(['acquire, 1 waiting']);
  });
});

describe('a query whose record cannot be written', () => {
  it('runs nothing, gives its worker back, and is closed later: the record may have become durable', async () => {
    const problem = new ProblemError('audit_unavailable', 'The audit log is unavailable.');
    const { start, calls, failures, running, waiting } = fixture({ beginFails: problem });
    await expect(start()).rejects.toBe(problem);
    expect(calls).toEqual(['acquire, 1 waiting', 'begin', 'release worker']);
    expect(failures).toEqual([
      {
        tenantId: 't',
        queryId: 'q',
        state: 'FAILED',
        rows: 0,
        bytes: 0,
        sha256: null,
        limited: false,
        error: { code: problem.streamCode, message: problem.message },
      },
    ]);
    expect([running.size, waiting.all()]).toEqual([0, []]);
  });

  it('is not closed later if the store rejected it', async () => {
    const { start, failures } = fixture({ beginFails: new ProblemError('unauthorized', 'The session ended.') });
    await expect(start()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(failures).toEqual([]);
  });
});

describe('a query whose result is kept', () => {
  it('says so to its worker', async () => {
    const { start, calls, jobs } = fixture({ keeps: true });
    const run = await start({ keepMs: 1_000 });
    await expect(run.begin()).rejects.toMatchObject({ code: 'internal' });
    expect(jobs).toMatchObject([{ keep: { queryId: 'q' } }]);
    expect(calls).toContain('begin keeping');
  });

  it('leaves nothing in the store if it is not recorded', async () => {
    const { start, calls, jobs } = fixture({ keeps: true, beginFails: new ProblemError('unauthorized', 'It ended.') });
    await expect(start({ keepMs: 1_000 })).rejects.toMatchObject({ code: 'unauthorized' });
    await until(() => calls.includes('abandon keeping') || undefined, { what: 'the end of what was begun' });
    expect(jobs).toEqual([]);
  });
});

describe('a query whose run throws when it is created', () => {
  it('gives its worker back, no longer counts as running, and its record gets an outcome', async () => {
    const { start, calls, failures, running, waiting } = fixture({ runThrows: new TypeError('not a job') });
    await expect(start()).rejects.toMatchObject({ code: 'internal' });
    expect(calls).toEqual(['acquire, 1 waiting', 'begin', 'release worker']);
    expect(failures).toMatchObject([{ queryId: 'q', state: 'FAILED', error: { code: 'INTERNAL' } }]);
    expect([running.size, waiting.all()]).toEqual([0, []]);
  });
});

describe('a caller who was authenticated more than a second ago', () => {
  it('is checked again after the record, and a query that is due to stop runs nothing', async () => {
    const reason = new ProblemError('query_cancelled', 'The query was stopped because its session ended.');
    const { start, calls } = fixture({
      authenticatedMsAgo: 1_500,
      stopDue: async (running) => running.find('q')?.stop(reason),
    });
    await expect((await start()).begin()).rejects.toBe(reason);
    expect(calls.slice(0, 3)).toEqual(['acquire, 1 waiting', 'begin', 'check caller']);
  });

  it('may run nothing if this cannot be checked', async () => {
    const problem = new ProblemError('service_unavailable', 'The database is unavailable.');
    const { start } = fixture({ authenticatedMsAgo: 1_500, stopDue: () => Promise.reject(problem) });
    await expect((await start()).begin()).rejects.toBe(problem);
  });
});

describe('a query with a time limit of its own', () => {
  it('ends with a message of its own, if the limit is less than that of its tenant', async () => {
    const { start, running } = fixture();
    const run = await start({ timeLimitMs: 5 });
    await until(() => running.find('q')?.isStopped || undefined, { what: 'the end of the time limit' });
    const message = 'The query exceeded the time limit of its session, 0.005 s.';
    await expect(run.begin()).rejects.toMatchObject({ code: 'time_limit', message });
  });
});
