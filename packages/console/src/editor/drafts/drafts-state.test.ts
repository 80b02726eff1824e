import { describe, expect, it } from '@jest/globals';
import type { Draft } from './draft.ts';
import { closeDraft, putDraft, reopenDraft, sortDrafts, type Tabs } from './drafts-state.ts';

const draft = (id: string, order: number, closedMs: number | null = null): Draft => ({
  id,
  order,
  closedMs,
  name: null,
  title: '',
  parameters: {},
  updatedMs: 0,
  revision: 1,
});

const tabs = (activeId: string): Tabs => ({
  open: [draft('a', 1), draft('b', 2), draft('c', 3)],
  activeId,
  closed: [draft('x', 9, 50)],
});

const idsOf = (drafts: readonly Draft[]): string[] => drafts.map(({ id }) => id);

describe('closeDraft', () => {
  it.each([
    ['a', 'a', 'b'],
    ['b', 'b', 'c'],
    ['c', 'c', 'b'],
    ['a', 'c', 'c'],
  ])('of %s while %s is shown shows %s', (closed, active, shown) => {
    const after = closeDraft(tabs(active), closed, 70);
    expect(after?.activeId).toBe(shown);
    expect(after?.closed[0]).toMatchObject({ id: closed, closedMs: 70 });
  });

  it('of the only tab leaves none that could be shown', () => {
    expect(closeDraft({ open: [draft('a', 1)], activeId: 'a', closed: [] }, 'a', 0)).toMatchObject({
      open: [],
      activeId: undefined,
    });
  });

  it('of a closed tab changes nothing', () => {
    expect(closeDraft(tabs('a'), 'x', 0)).toBeUndefined();
  });
});

describe('reopenDraft', () => {
  it('shows the tab that was closed last, behind the others', () => {
    const after = reopenDraft(tabs('a'));
    expect([idsOf(after?.open ?? []), after?.activeId, after?.closed]).toEqual([['a', 'b', 'c', 'x'], 'x', []]);
    expect(after?.open.at(-1)).toMatchObject({ order: 4, closedMs: null });
  });

  it('changes nothing if no tab was closed', () => {
    expect(reopenDraft({ ...tabs('a'), closed: [] })).toBeUndefined();
  });
});

describe('putDraft', () => {
  it('moves a tab that another window closed, and shows another one', () => {
    const after = putDraft(tabs('b'), draft('b', 2, 60));
    expect([idsOf(after.open), idsOf(after.closed), after.activeId]).toEqual([['a', 'c'], ['b', 'x'], 'c']);
  });

  it('moves a tab that another window opened again to its place', () => {
    const after = putDraft(tabs('b'), draft('x', 0));
    expect([idsOf(after.open), idsOf(after.closed), after.activeId]).toEqual([['x', 'a', 'b', 'c'], [], 'b']);
  });
});

describe('sortDrafts', () => {
  it('lists the last 50 closed tabs, newest first, and names the others', () => {
    const closed = Array.from({ length: 52 }, (_, index) => draft(String(index), 0, index));
    const sorted = sortDrafts([draft('b', 2), ...closed, draft('a', 1)]);
    expect(idsOf(sorted.open)).toEqual(['a', 'b']);
    expect([sorted.closed[0]?.id, sorted.closed.length, sorted.forgotten]).toEqual(['51', 50, ['1', '0']]);
  });
});
