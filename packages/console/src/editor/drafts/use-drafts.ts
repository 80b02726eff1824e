import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { openDraftDatabase } from './draft-database.ts';
import { createDraftJournal } from './draft-journal.ts';
import { DraftStore } from './draft-store.ts';
import type { DraftsState } from './drafts-state.ts';

const CHANNEL = 'sluice-drafts';
const ACTIVE_KEY = 'sluice.active-draft';

/**
 * Opens the drafts of a user in this window of the browser, and stores them whenever the page may be gone: when it is hidden, left or
 * closed.
 * @param owner - names tenant and user
 */
export function useDrafts(owner: string): { readonly store: DraftStore; readonly drafts: DraftsState } {
  const [store, setStore] = useState(() => createStore(owner));
  const drafts = useSyncExternalStore(store.store.subscribe, store.store.getState);
  useEffect(() => {
    if (store.owner !== owner) setStore(createStore(owner));
  }, [owner, store]);
  const loaded = useRef<OpenedStore>(undefined);
  useEffect(() => {
    // Not in the function above: React may call it again before the page is shown, and two stores would each open a first tab.
    if (loaded.current === store) return;
    loaded.current = store;
    void store.store.load(readActiveId());
  }, [store]);
  useEffect(() => saveBeforeLeaving(store.store, owner), [store, owner]);
  const { activeId } = drafts;
  useEffect(() => {
    if (activeId !== undefined) storeActiveId(activeId);
  }, [activeId]);
  return { store: store.store, drafts };
}

/** Returns the draft that this tab of the browser showed last. Undefined: none, or the browser denies the storage. */
function readActiveId(): string | undefined {
  try {
    return sessionStorage.getItem(ACTIVE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

function storeActiveId(id: string): void {
  try {
    sessionStorage.setItem(ACTIVE_KEY, id);
  } catch {
    // A reload then shows the first tab.
  }
}

interface OpenedStore {
  readonly owner: string;
  readonly store: DraftStore;
}

function createStore(owner: string): OpenedStore {
  const store = new DraftStore({
    storage: openDraftDatabase(() => indexedDB, owner),
    journal: createDraftJournal(() => localStorage, owner),
    createId: () => crypto.randomUUID(),
    now: () => Date.now(),
    announce: (id) => {
      const channel = new BroadcastChannel(CHANNEL);
      channel.postMessage({ owner, id });
      channel.close();
    },
  });
  return { owner, store };
}

function saveBeforeLeaving(store: DraftStore, owner: string): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<{ readonly owner: string; readonly id: string }>) => {
    if (data.owner === owner) void store.refresh(data.id);
  };
  const onHide = (): void => {
    if (document.visibilityState === 'hidden') store.flushNow();
  };
  const onPageHide = (): void => void store.flushNow();
  const onBeforeUnload = (event: BeforeUnloadEvent): void => {
    // A draft that is too long for the journal is safe only when the database has it.
    if (!store.flushNow()) event.preventDefault();
  };
  document.addEventListener('visibilitychange', onHide);
  window.addEventListener('pagehide', onPageHide);
  window.addEventListener('beforeunload', onBeforeUnload);
  return () => {
    channel.close();
    document.removeEventListener('visibilitychange', onHide);
    window.removeEventListener('pagehide', onPageHide);
    window.removeEventListener('beforeunload', onBeforeUnload);
    store.flushNow();
  };
}
