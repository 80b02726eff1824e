import { describe, expect, it } from '@jest/globals';
import { WaitingQueries } from '../../queries/waiting-queries.ts';
import { findQuery } from './find-query.ts';

const STORED = { receipt: { query_id: 'q' } } as never;
const WAITING = { queryId: 'q', tenantId: 't' } as never;

/** Look-ups of the query `q`. `beginsAt`: look-up of records that finds it first; undefined: none. */
function fixture({ beginsAt, waits }: { beginsAt?: number; waits?: 'here' | 'elsewhere' }) {
  const calls: string[] = [];
  const waiting = new WaitingQueries();
  if (waits === 'here') waiting.add({ queryId: 'q', tenantId: 't', cancel: () => undefined } as never);
  const lookUps = () => calls.filter((call) => call === 'records').length;
  const dependencies = {
    queries: {
      async find() {
        calls.push('records');
        return lookUps() >= (beginsAt ?? Number.POSITIVE_INFINITY) ? STORED : undefined;
      },
    },
    waiting,
    waitingQueries: {
      async find() {
        calls.push('waiting');
        return waits === 'elsewhere' ? WAITING : undefined;
      },
    },
  };
  return { calls, find: (tenantId = 't') => findQuery(dependencies, tenantId, 'q') };
}

describe('a query', () => {
  it('with a record is found by one look-up', async () => {
    const { calls, find } = fixture({ beginsAt: 1 });
    expect(await find()).toEqual({ stored: STORED });
    expect(calls).toEqual(['records']);
  });

  it.each(['here', 'elsewhere'] as const)('that waits %s is found without a record', async (waits) => {
    const { find } = fixture({ waits });
    expect((await find())?.waiting).toMatchObject({ queryId: 'q' });
  });

  it('that waits here is found by its tenant only', async () => {
    expect(await fixture({ waits: 'here' }).find('u')).toBeUndefined();
  });

  it('that acquires a worker between the two look-ups is found', async () => {
    const { calls, find } = fixture({ beginsAt: 2 });
    expect(await find()).toEqual({ stored: STORED });
    expect(calls).toEqual(['records', 'waiting', 'records']);
  });

  it('that does not exist is undefined', async () => {
    expect(await fixture({}).find()).toBeUndefined();
  });
});
