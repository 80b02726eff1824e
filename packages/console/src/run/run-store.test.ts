import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FrameClock } from '../result/frame-clock.ts';
import { cellIfHere, reachableRows } from '../result/result-view.ts';
import { PageCache } from './page-cache.ts';
import { RunStore } from './run-store.ts';

/** Clock whose frames and time the test moves. */
function createManualClock() {
  let now = 0;
  let waiting: (() => void)[] = [];
  const clock: FrameClock = {
    now: () => now,
    nextFrame: () => new Promise((resolve) => waiting.push(resolve)),
  };
  const frame = async (ms = 16) => {
    now += ms;
    const due = waiting;
    waiting = [];
    for (const resolve of due) resolve();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { clock, frame };
}

const COLUMNS = [{ name: 'a', type: 'integer' }];
const FAILURE = {
  code: 'internal',
  message: 'It failed.',
  status: undefined,
  requestId: undefined,
  queryId: undefined,
  location: undefined,
  retryAfterSeconds: undefined,
};

describe('RunStore', () => {
  it('notifies at most once a frame, with everything that happened until then', async () => {
    const { clock, frame } = createManualClock();
    const store = new RunStore(clock);
    let calls = 0;
    store.subscribe(() => {
      calls += 1;
    });
    store.receiveHeaders('q1');
    store.receiveColumns(COLUMNS);
    for (let row = 0; row < 100; row += 1) store.receiveRows([[String(row)]]);
    expect([calls, store.getSnapshot().state]).toEqual([0, 'submitted']);
    await frame();
    expect(calls).toBe(1);
    expect(store.getSnapshot()).toMatchObject({
      state: 'streaming',
      queryId: 'q1',
      receivedRows: 100,
      loadedRows: 100,
    });
    expect(store.getView()).toMatchObject({ loadedRows: 100, completeness: 'streaming' });
    await frame();
    expect(calls).toBe(1);
  });

  it('returns the same snapshot and view until it notifies', async () => {
    const { clock, frame } = createManualClock();
    const store = new RunStore(clock);
    store.receiveHeaders('q1');
    store.receiveColumns(COLUMNS);
    await frame();
    const [snapshot, view] = [store.getSnapshot(), store.getView()];
    store.receiveRows([['1']]);
    expect(store.getSnapshot()).toBe(snapshot);
    expect(store.getView()).toBe(view);
    expect(view.loadedRows).toBe(0);
  });

  it('ignores rows after a cancellation and everything after the end', async () => {
    const { clock, frame } = createManualClock();
    const store = new RunStore(clock);
    store.receiveHeaders('q1');
    store.receiveColumns(COLUMNS);
    store.receiveRows([['1']]);
    store.apply('cancel');
    store.receiveRows([['2']]);
    store.apply('stopped');
    store.fail('error', FAILURE);
    store.apply('complete');
    await frame();
    expect(store.getSnapshot()).toMatchObject({ state: 'cancelled', receivedRows: 1, failure: undefined });
    expect(store.getView().completeness).toBe('cancelled');
  });

  it('never loses rows, whatever happens', async () => {
    const actions: Readonly<Record<string, (store: RunStore) => void>> = {
      headers: (store) => store.receiveHeaders('q'),
      columns: (store) => store.receiveColumns(COLUMNS),
      rows: (store) => store.receiveRows([['1'], ['2']]),
      cancel: (store) => store.apply('cancel'),
      stopped: (store) => store.apply('stopped'),
      complete: (store) => store.apply('complete'),
      error: (store) => store.fail('error', FAILURE),
      connectionLost: (store) => store.fail('connectionLost', FAILURE),
    };
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...Object.keys(actions)), { maxLength: 20 }), async (names) => {
        const { clock, frame } = createManualClock();
        const store = new RunStore(clock);
        let rows = 0;
        for (const name of ['headers', 'columns', ...names]) {
          actions[name]?.(store);
          await frame();
          const { receivedRows, loadedRows } = store.getSnapshot();
          expect(receivedRows).toBeGreaterThanOrEqual(rows);
          expect([loadedRows, store.getView().loadedRows]).toEqual([receivedRows, receivedRows]);
          rows = receivedRows;
        }
      }),
    );
  });

  it('measures the rate of the last seconds while it runs, and of all the time afterwards', async () => {
    const { clock, frame } = createManualClock();
    const store = new RunStore(clock);
    store.receiveHeaders('q');
    store.receiveColumns(COLUMNS);
    await frame(1000);
    for (let second = 0; second < 5; second += 1) {
      store.receiveRows(Array.from({ length: 500 }, () => ['1']));
      await frame(1000);
    }
    expect(store.getSnapshot().rowsPerSecond).toBeCloseTo(500, 0);
    store.apply('complete');
    await frame();
    expect(store.getSnapshot()).toMatchObject({ endedAtMs: 6000, rowsPerSecond: 2500 / 6 });
  });

  it('shows the end of a result without columns', async () => {
    const { clock, frame } = createManualClock();
    const store = new RunStore(clock);
    store.fail('error', FAILURE);
    await frame();
    expect(store.getSnapshot()).toMatchObject({ state: 'failed', failure: FAILURE, receivedRows: 0 });
    expect(store.getView()).toMatchObject({ completeness: 'failed', columns: [] });
  });

  it('reaches the rows of a kept result that are not in memory, also after its memory was freed', async () => {
    const { clock, frame } = createManualClock();
    const store = new RunStore(clock);
    const pages = new PageCache({
      columns: COLUMNS,
      rows: 3,
      pageRows: 1,
      read: async (from) => [[String(from)]],
      describe: String,
      onChange: () => undefined,
    });
    store.receiveHeaders('q');
    store.receiveKeeping({ asOf: 1, keptUntil: 2 });
    store.receiveColumns(COLUMNS);
    store.receiveRows([['0']]);
    store.skipRows(2);
    store.attachPages(pages);
    store.apply('complete');
    await frame();
    expect(store.getSnapshot()).toMatchObject({ receivedRows: 3, loadedRows: 1, keeping: { asOf: 1, keptUntil: 2 } });
    expect([reachableRows(store.getView()), store.getView().pages]).toEqual([3, pages]);
    expect([cellIfHere(store.getView(), 0, 0), cellIfHere(store.getView(), 2, 0)]).toEqual(['0', undefined]);
    store.releaseRows();
    await frame();
    expect([store.getView().loadedRows, reachableRows(store.getView())]).toEqual([0, 3]);
  });

  it('shows no pages of a result that is in memory', async () => {
    const { clock, frame } = createManualClock();
    const store = new RunStore(clock);
    store.receiveHeaders('q');
    store.receiveColumns(COLUMNS);
    store.receiveRows([['0']]);
    store.apply('complete');
    store.receiveKeeping({ notKept: 'The store is full.' });
    await frame();
    expect(store.getView().pages).toBeUndefined();
    expect(store.getSnapshot().keeping).toEqual({ notKept: 'The store is full.' });
  });
});
