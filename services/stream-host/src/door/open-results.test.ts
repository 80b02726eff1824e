import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { OpenResult } from './open-result.ts';
import { OpenResults } from './open-results.ts';
import { PageReader } from './page-reader.ts';
import type { RowSource } from './row-source.ts';

const { principal: account } = buildCaller('ann');
const WAIT_MS = 1_000;

/** Milliseconds since requests to other hosts, by query. */
type Asked = readonly { readonly queryId: string; readonly agoMs: number }[];

function fixture(listAsked: () => Promise<Asked> = async () => []) {
  const results = new OpenResults({ hostId: 'host', records: { listAsked }, waitMs: WAIT_MS });
  const stopped: ProblemError[] = [];
  /** Adds a result that no client has asked for since this time. */
  const add = (id: string, { agoMs, isEnded = false }: { agoMs: number; isEnded?: boolean }): OpenResult => {
    const source: RowSource = {
      columns: [],
      progress: { state: 'RUNNING', rows: 0, bytes: 0, splitsDone: null, splitsTotal: null },
      ...{ isKept: false, isStopped: false, leavesRowsToStore: () => false },
      chunks: isEnded ? noRows() : endless(),
      stop: (reason) => void stopped.push(reason),
    };
    const result = new OpenResult({ id, account, source, reader: new PageReader() });
    results.add(result);
    result.wantedMs = performance.now() - agoMs;
    return result;
  };
  return { results, stopped, add };
}

async function* noRows(): AsyncGenerator<never> {}
async function* endless(): AsyncGenerator<never> {
  await new Promise(() => undefined);
}

describe('results for which no client asks', () => {
  it('are cancelled while they run, after the wait', async () => {
    const { results, stopped, add } = fixture();
    add('abandoned', { agoMs: 2 * WAIT_MS });
    add('read', { agoMs: 0 });
    await results.removeAbandoned();
    expect(stopped).toMatchObject([{ code: 'query_cancelled', engineError: { name: 'ABANDONED_QUERY' } }]);
    expect(results.size).toBe(2);
  });

  it('are forgotten when they have ended', async () => {
    const { results, stopped, add } = fixture();
    add('abandoned', { agoMs: 2 * WAIT_MS, isEnded: true });
    add('read', { agoMs: 0, isEnded: true });
    await new Promise((resolve) => setImmediate(resolve));
    await results.removeAbandoned();
    expect([results.size, results.find('abandoned', account), stopped]).toEqual([1, undefined, []]);
  });

  it('run on if another host was asked for them', async () => {
    const { results, stopped, add } = fixture(async () => [{ queryId: 'read', agoMs: WAIT_MS / 2 }]);
    add('read', { agoMs: 2 * WAIT_MS });
    await results.removeAbandoned();
    expect(stopped).toEqual([]);
  });

  it('are cancelled while the database cannot be read, which is reported', async () => {
    const failure = new ProblemError('service_unavailable', 'no');
    const { results, stopped, add } = fixture(() => Promise.reject(failure));
    add('abandoned', { agoMs: 2 * WAIT_MS });
    await expect(results.removeAbandoned()).rejects.toBe(failure);
    expect(stopped).toHaveLength(1);
  });
});

describe('a result', () => {
  it('is of its account alone', () => {
    const { results, add } = fixture();
    add('q', { agoMs: 0 });
    expect(results.find('q', { ...account, id: 'bob' })).toBeUndefined();
    results.close('q', { ...account, id: 'bob' });
    expect(results.find('q', account)?.id).toBe('q');
  });
});
