import { describe, expect, it } from '@jest/globals';
import { OpenRuns, type TabRun } from './open-runs.ts';

function fixture() {
  const cancelled: string[] = [];
  const tabRun = (name: string): TabRun => ({
    run: { input: { sql: name }, store: undefined as never, cancel: () => cancelled.push(name) },
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

  it('keeps the last run of a tab', () => {
    const { openRuns, tabRun } = fixture();
    openRuns.set('a', tabRun('third'));
    expect(openRuns.getSnapshot().get('a')?.run.input.sql).toBe('third');
  });
});
