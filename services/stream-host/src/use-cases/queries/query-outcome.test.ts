import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { BodyMeter } from '@sluice/encoders';
import { SILENT_TRACER } from '@sluice/observability';
import type { QueryEnd } from '@sluice/store/queries';
import { QueryTrace } from '../../queries/query-trace.ts';
import { RunningQueries, type RunningQuery } from '../../queries/running-queries.ts';
import type { OutcomeKeeper } from './outcome-keeper.ts';
import type { QueryRequest } from './query-input.ts';
import { QueryOutcome } from './query-outcome.ts';

const TEXT = 'id,name\r\n1,nut\r\n';

/** A query that has sent two rows. `recording` fails the receipt. */
function fixture(recording?: Error) {
  const calls: string[] = [];
  const logged: Record<string, unknown>[] = [];
  const recorded: QueryEnd[] = [];
  const charged: string[] = [];
  const live = { queryId: 'q', tenantId: 't', rows: 2, bytes: 9 } as RunningQuery;
  const running = new RunningQueries();
  running.add(live);
  const caller = { requestId: 'r', principal: { tenant: { name: 'acme' }, name: 'ann@example.com' } };
  const outcome = new QueryOutcome(
    {
      running,
      outcomes: {
        record: async (end: QueryEnd) => {
          calls.push('record');
          recorded.push(end);
          if (recording !== undefined) throw recording;
        },
      } as unknown as OutcomeKeeper,
      events: {
        queryStarted: (event: object) => void logged.push({ started: true, ...event }),
        queryEnded: (event: object) => void logged.push({ ended: true, ...event }),
        auditFailed: (event: object) => void logged.push({ auditFailed: true, ...event }),
      } as never,
      statementBudget: { isRefused: (_caller: object, { sql }: { sql: string }) => void charged.push(sql) } as never,
    },
    {
      request: { caller, format: { name: 'csv' }, action: 'RUN_QUERY', sql: 'SELECT 1' } as unknown as QueryRequest,
      live,
      trace: new QueryTrace(SILENT_TRACER, caller as never, { queryId: 'q', format: 'csv', engine: 'duckdb' }),
      release: async () => void calls.push('release'),
    },
  );
  return { outcome, calls, logged, recorded, running, charged };
}

const wholeBody = () => {
  const whole = new BodyMeter();
  whole.add(Buffer.from(TEXT));
  return { bytes: 9, whole };
};
const CUT = { bytes: 9, whole: undefined };

describe('a complete result', () => {
  it('is recorded after its worker is released, with the size and the digest of the whole body', async () => {
    const { outcome, calls, recorded, logged, running } = fixture();
    await outcome.finished(wholeBody(), true);
    expect(calls).toEqual(['release', 'record']);
    const sha256 = createHash('sha256').update(TEXT).digest('hex');
    expect(recorded).toMatchObject([
      { tenantId: 't', queryId: 'q', state: 'FINISHED', rows: 2, bytes: TEXT.length, limited: true, error: null },
    ]);
    expect(Buffer.from(recorded[0]?.sha256 ?? '', 'hex').toString('hex')).toBe(sha256);
    expect([outcome.isOver, running.size]).toEqual([true, 0]);
    expect(logged).toMatchObject([
      { started: true, queryId: 'q', format: 'csv', tenant: 'acme', user: 'ann@example.com' },
      { ended: true, outcome: 'FINISHED', rows: 2 },
    ]);
  });

  it('fails if its receipt is not durable, and is logged as failed', async () => {
    const thrown = new ProblemError('receipt_unavailable', 'The receipt is not durable.');
    const { outcome, logged, running } = fixture(thrown);
    await expect(outcome.finished(wholeBody(), false)).rejects.toBe(thrown);
    expect(logged.slice(1)).toMatchObject([
      { auditFailed: true, action: 'RUN_QUERY', err: thrown },
      { ended: true, outcome: 'FAILED', problem: thrown.streamCode },
    ]);
    expect(running.size).toBe(0);
  });
});

describe('a failed query', () => {
  it('is recorded without a digest, with the code and the message that its client got', async () => {
    const { outcome, recorded } = fixture();
    const problem = new ProblemError('data_error', 'A cast failed.');
    await outcome.failed(problem, CUT);
    expect(recorded).toMatchObject([
      { state: 'FAILED', bytes: 9, sha256: null, error: { code: problem.streamCode, message: 'A cast failed.' } },
    ]);
  });

  it('is charged to its account if it was refused, and not if the service failed or it was cancelled', async () => {
    for (const [code, charges] of [
      ['read_only', ['SELECT 1']],
      ['engine_crashed', []],
      ['query_cancelled', []],
    ] as const) {
      const { outcome, charged } = fixture();
      await outcome.failed(new ProblemError(code, 'Failed.'), CUT);
      expect(charged).toEqual(charges);
    }
  });

  it('is recorded as cancelled if it was cancelled', async () => {
    const { outcome, recorded } = fixture();
    await outcome.failed(new ProblemError('query_cancelled', 'Cancelled.'), CUT);
    expect(recorded).toMatchObject([{ state: 'CANCELLED' }]);
  });

  it('has one outcome: a later failure, also of a complete result, changes nothing', async () => {
    const { outcome, recorded, logged } = fixture();
    await outcome.finished(wholeBody(), false);
    await outcome.failed(new ProblemError('internal', 'Too late.'), CUT);
    expect([recorded.length, logged.length]).toEqual([1, 2]);
  });

  it('informs its client although it cannot be recorded', async () => {
    const { outcome, logged } = fixture(new Error('no database'));
    await expect(outcome.failed(new ProblemError('data_error', 'A cast failed.'), CUT)).resolves.toBeUndefined();
    expect(logged.slice(1)).toMatchObject([{ auditFailed: true }, { ended: true, outcome: 'FAILED' }]);
  });

  it('logs a fault with its cause, and not a mistake, which may quote SQL', async () => {
    const cause = new Error('select secret');
    for (const [code, isFault] of [
      ['engine_crashed', true],
      ['syntax_error', false],
    ] as const) {
      const { outcome, logged } = fixture();
      const problem = new ProblemError(code, 'Failed.', { cause });
      await outcome.failed(problem, CUT);
      expect(logged[1]?.['err']).toBe(isFault ? problem : undefined);
    }
  });
});
