import { describe, expect, it } from '@jest/globals';
import { OpenRuns, type TabRun } from './open-runs.ts';
import { RunStore } from './run-store.ts';

const CLOCK = { now: () => 0, nextFrame: async () => undefined };

function fixture() {
  const cancelled: string[] = [];
  const tabRun = (name: string): TabRun => ({
    run: { input: { sql: name }, store: new RunStore(CLOCK), cancel: () => cancelled.push(name) },
    statement: { from: 0, to: name.length },
    start: { line: 1, column: 1 },
  });
  const openRuns = new OpenRuns();
  let changes = 0;
  openRuns.subscribe(() => {
    changes += 1;
  });
  openRuns.set('a', tabRun('first'));
  openRuns.set('b', tabRun('second'));
  return { openRuns, cancelled, tabRun, changes: () => changes };
}

describe('OpenRuns', () => {
  it('cancels and forgets the runs of closed tabs only', () => {
    const { openRuns, cancelled, changes } = fixture();
    openRuns.keepOnly(new Set(['b', 'c']));
    expect(cancelled).toEqual(['first']);
    expect([...openRuns.getSnapshot().keys()]).toEqual(['b']);
    expect(changes()).toBe(3);
  });

  it('reports nothing when no tab was closed', () => {
    const { openRuns, changes } = fixture();
    const before = openRuns.getSnapshot();
    openRuns.keepOnly(new Set(['a', 'b']));
    expect(openRuns.getSnapshot()).toBe(before);
    expect(changes()).toBe(2);
  });

  it('frees the rows of the tab that was shown longest ago, and says how many rows there were', async () => {
    const openRuns = new OpenRuns(3_000);
    const stores = ['a', 'b', 'c'].map((tabId) => {
      const store = new RunStore(CLOCK);
      const run = { input: { sql: tabId }, store, cancel: () => undefined };
      openRuns.show(tabId);
      openRuns.set(tabId, { run, statement: { from: 0, to: 1 }, start: { line: 1, column: 1 } });
      store.receiveHeaders(tabId);
      store.receiveColumns([{ name: 's', type: 'varchar' }]);
      return store;
    });
    const add = async (index: number) => {
      stores[index]?.receiveRows([['x'.repeat(600)]]);
      await Promise.resolve().then(() => undefined);
    };
    const kept = () => stores.map((store) => [store.getView().loadedRows, store.getView().receivedRows]);
    openRuns.show('a'); // so b was shown longest ago
    await add(0);
    await add(1);
    expect(kept()).toEqual([
      [1, 1],
      [1, 1],
      [0, 0],
    ]);
    await add(2);
    await add(1);
    expect(kept()).toEqual([
      [1, 1],
      [0, 2],
      [1, 1],
    ]);
    await add(0);
    await add(0);
    expect(kept()).toEqual([
      [3, 3],
      [0, 2],
      [0, 1],
    ]);
  });

  it('keeps the last run of a tab', () => {
    const { openRuns, tabRun } = fixture();
    openRuns.set('a', tabRun('third'));
    expect(openRuns.getSnapshot().get('a')?.run.input.sql).toBe('third');
  });
});
