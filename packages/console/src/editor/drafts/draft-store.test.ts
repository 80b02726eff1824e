import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Draft, type DraftStorage, DraftStorageError, titleOf } from './draft.ts';
import type { DraftJournal, JournalEntry } from './draft-journal.ts';
import { DraftStore } from './draft-store.ts';

/** The storage that all windows of one browser share. */
function createSharedStorage() {
  const drafts = new Map<string, Draft>();
  const texts = new Map<string, string>();
  const journal = new Map<string, JournalEntry>();
  let ids = 0;
  let isFull = false;
  const storage: DraftStorage = {
    list: async () => [...drafts.values()],
    readText: async (id) => texts.get(id),
    write: async (draft, text) => {
      if (isFull) throw new DraftStorageError('full', undefined);
      const stored = drafts.get(draft.id);
      if ((stored?.revision ?? 0) !== draft.revision) return { conflict: stored };
      drafts.set(draft.id, { ...draft, revision: draft.revision + 1 });
      if (text !== undefined) texts.set(draft.id, text);
      return { written: draft.revision + 1 };
    },
    remove: async (removed) => {
      for (const id of removed) for (const map of [drafts, texts]) map.delete(id);
    },
  };
  const keyOf = (entry: JournalEntry): string => `${entry.draftId} ${entry.revision}`;
  const sharedJournal: DraftJournal = {
    read: () => [...journal.values()],
    add: (entry) => journal.set(keyOf(entry), entry).size > 0,
    remove: (entries) => {
      for (const entry of entries) journal.delete(keyOf(entry));
    },
  };
  const openWindow = async (announce: (id: string) => void = () => undefined): Promise<DraftStore> => {
    const createId = (): string => {
      ids += 1;
      return String(ids);
    };
    const store = new DraftStore({ storage, journal: sharedJournal, createId, now: () => 0, announce });
    await store.load();
    return store;
  };
  const setFull = (full: boolean): void => {
    isFull = full;
  };
  return { texts, openWindow, setFull };
}

const activeId = (store: DraftStore): string => store.getState().activeId ?? '';

describe('DraftStore', () => {
  it('knows the kept result of a tab in the next window, until it is replaced', async () => {
    const { openWindow } = createSharedStorage();
    const first = await openWindow();
    const id = first.create('SELECT 1');
    first.setResult(id, { queryId: 'q', keptUntil: 7 });
    await first.flush();
    const second = await openWindow();
    const resultOf = (store: DraftStore) => store.getState().open.find((draft) => draft.id === id)?.result;
    expect(resultOf(second)).toEqual({ queryId: 'q', keptUntil: 7 });
    second.setResult(id, undefined);
    await second.flush();
    expect(resultOf(await openWindow())).toBeUndefined();
  });

  it('opens the tabs of the last window, in order, with SQL and parameters', async () => {
    const { openWindow } = createSharedStorage();
    const first = await openWindow();
    first.edit(activeId(first), () => 'SELECT 1');
    const id = first.create('SELECT 2', { name: 'two' });
    first.setParameter(id, 'a', { type: 'date', text: '2026-01-01', isNull: false });
    await first.flush();
    const second = await openWindow();
    const { open } = second.getState();
    expect(open.map(({ name, title }) => name ?? title)).toEqual(['SELECT 1', 'two']);
    expect(open[1]?.parameters['a']?.text).toBe('2026-01-01');
    expect(await Promise.all(open.map((draft) => second.textOf(draft.id)))).toEqual(['SELECT 1', 'SELECT 2']);
  });

  it('keeps the row limit of each tab', async () => {
    const { openWindow } = createSharedStorage();
    const first = await openWindow();
    const id = first.create('SELECT 2');
    first.setRowLimit(id, null);
    await first.flush();
    const second = await openWindow();
    expect(second.getState().open.map(({ rowLimit }) => rowLimit)).toEqual([undefined, null]);
  });

  it('keeps both versions when two windows change the same tab', async () => {
    const { openWindow } = createSharedStorage();
    const first = await openWindow();
    await first.flush();
    const second = await openWindow();
    const events: string[] = [];
    second.onEvent((event) => events.push(event.kind));
    first.edit(activeId(first), () => 'of the first');
    second.edit(activeId(second), () => 'of the second');
    await first.flush();
    await second.flush();
    expect(events).toEqual(['forked']);
    expect(await second.textOf(activeId(second))).toBe('of the second');
    const third = await openWindow();
    const texts = await Promise.all(third.getState().open.map((draft) => third.textOf(draft.id)));
    expect(texts).toEqual(['of the first', 'of the second']);
  });

  it('shows what another window wrote if it has no change of its own', async () => {
    const { openWindow } = createSharedStorage();
    const first = await openWindow((id) => void second?.refresh(id));
    let second: DraftStore | undefined;
    await first.flush();
    second = await openWindow();
    first.edit(activeId(first), () => 'new');
    await first.flush();
    await new Promise(setImmediate);
    expect(await second.textOf(activeId(second))).toBe('new');
  });

  it('restores from the journal what was not stored when the window was closed', async () => {
    const { openWindow, setFull } = createSharedStorage();
    const first = await openWindow();
    await first.flush();
    setFull(true);
    first.edit(activeId(first), () => 'typed last');
    expect(first.flushNow()).toBe(true);
    await first.flush();
    expect(first.getState().saving).toBe('full');
    setFull(false);
    const second = await openWindow();
    expect(await second.textOf(activeId(second))).toBe('typed last');
    expect(second.getState()).toMatchObject({ saving: 'saved', open: [{ title: 'typed last' }] });
  });

  it('opens a closed tab again, also after a reload', async () => {
    const { openWindow } = createSharedStorage();
    const first = await openWindow();
    const id = first.create('SELECT 1');
    first.close(id);
    expect(activeId(first)).not.toBe(id);
    await first.flush();
    const second = await openWindow();
    second.reopen();
    expect(activeId(second)).toBe(id);
    expect(await second.textOf(id)).toBe('SELECT 1');
  });

  it('never loses a draft, whatever windows do at the same time', async () => {
    const step = fc.record({ window: fc.nat(2), act: fc.constantFrom<Act>('edit', 'edit', ...ACTS) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { texts, openWindow } = createSharedStorage();
        const windows = await Promise.all([openWindow(), openWindow(), openWindow()]);
        const typed: string[] = [];
        const replaced = new Set<string>();
        for (const { window, act } of steps) {
          const store = windows[window] as DraftStore;
          const text = `text ${typed.length}`;
          // A user replaces what the window shows, and nothing else.
          if (act === 'edit') replaced.add(await store.textOf(activeId(store)));
          if (act === 'edit' || act === 'create') typed.push(text);
          perform(store, act, text);
          if (act === 'leave') windows[window] = await openWindow();
        }
        for (const store of windows) await store.flush();
        await openWindow();
        const kept = new Set(texts.values());
        expect(typed.filter((text) => !kept.has(text) && !replaced.has(text))).toEqual([]);
      }),
    );
  });
});

const ACTS = ['edit', 'flush', 'create', 'close', 'leave', 'refresh'] as const;
type Act = (typeof ACTS)[number];

function perform(store: DraftStore, act: Act, text: string): void {
  if (act === 'edit') store.edit(activeId(store), () => text);
  else if (act === 'create') store.create(text);
  else if (act === 'flush') void store.flush();
  else if (act === 'close') store.close(activeId(store));
  else if (act === 'leave') store.flushNow();
  else for (const { id } of store.getState().open) void store.refresh(id);
}

describe('titleOf', () => {
  it('returns the beginning of the statement without comments', () => {
    expect(titleOf('-- head\n/* more */ SELECT  a\nFROM b')).toBe('SELECT a FROM b');
    expect(titleOf('')).toBe('');
    expect([...titleOf('😀'.repeat(100))]).toHaveLength(61);
  });
});
