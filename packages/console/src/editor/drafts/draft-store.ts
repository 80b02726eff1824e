import type { ParameterEntry } from '../parameters/parameter-entry.ts';
import { type Draft, type DraftStorage, DraftStorageError, titleOf } from './draft.ts';
import type { DraftJournal, JournalEntry } from './draft-journal.ts';
import { DraftWriter } from './draft-writer.ts';
import {
  closeDraft,
  type DraftsState,
  findDraft,
  NO_DRAFTS,
  nextOrder,
  putDraft,
  reopenDraft,
  replaceDraft,
  sortDrafts,
} from './drafts-state.ts';

/**
 * Change of a draft by another window, which an editor applies to its copy of the text. `forked`: this window has its own text, which
 * moves from the draft `from` to the new draft `to`. `replaced`: this window has no text of its own, and reads the draft again.
 */
export type DraftEvent =
  | { readonly kind: 'forked'; readonly from: string; readonly to: string }
  | { readonly kind: 'replaced'; readonly id: string };

export interface DraftStoreOptions {
  readonly storage: DraftStorage;
  readonly journal: DraftJournal;
  readonly createId: () => string;
  readonly now: () => number;
  /** Notifies the other windows of the same user that a draft was written. */
  readonly announce: (id: string) => void;
}

/**
 * Tabs of one user in one window of the browser. Every change is stored shortly after it, and immediately by `flush`. Windows share the
 * storage: a draft that another window would overwrite becomes a tab of its own, so no work is lost.
 */
export class DraftStore {
  readonly #options: DraftStoreOptions;
  readonly #writer: DraftWriter;
  readonly #texts = new Map<string, () => string>();
  readonly #listeners = new Set<() => void>();
  readonly #eventListeners = new Set<(event: DraftEvent) => void>();
  #state = NO_DRAFTS;

  constructor(options: DraftStoreOptions) {
    this.#options = options;
    this.#writer = new DraftWriter({
      storage: options.storage,
      now: options.now,
      current: (id) => this.#find(id),
      onWritten: (id, written) => {
        const draft = this.#find(id);
        if (draft !== undefined) this.#replace({ ...draft, ...written });
        options.announce(id);
      },
      fork: (id, stored) => this.#fork(id, stored),
      onSaving: (saving) => this.#set({ saving }),
    });
  }

  readonly getState = (): DraftsState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  onEvent(listener: (event: DraftEvent) => void): () => void {
    this.#eventListeners.add(listener);
    return () => this.#eventListeners.delete(listener);
  }

  /** Loads the tabs, with the changes that a window could only write to its journal before it was closed. */
  async load(activeId?: string): Promise<void> {
    await this.#loadStored();
    const entries = this.#options.journal.read();
    for (const entry of entries) await this.#restore(entry);
    if (this.#state.open.length === 0) this.create('');
    const isOpen = this.#state.open.some(({ id }) => id === activeId);
    this.#set({ isLoaded: true, activeId: isOpen ? activeId : this.#state.open.at(-1)?.id });
    if (entries.length > 0 && (await this.flush())) this.#options.journal.remove(entries);
  }

  /** Opens a new tab behind the others, and shows it. Returns its id. */
  create(
    text: string,
    fields: Partial<Pick<Draft, 'name' | 'parameters' | 'saved' | 'rowLimit' | 'result'>> = {},
  ): string {
    const draft = this.#newDraft({ ...fields, title: titleOf(text) });
    this.#texts.set(draft.id, () => text);
    this.#set({ open: [...this.#state.open, draft], activeId: draft.id });
    this.#writer.changed(draft.id, () => text);
    return draft.id;
  }

  activate(id: string): void {
    if (this.#state.open.some((draft) => draft.id === id)) this.#set({ activeId: id });
  }

  /** Returns the text of a draft as this window has it. */
  async textOf(id: string): Promise<string> {
    const read = this.#texts.get(id);
    if (read !== undefined) return read();
    const text = (await this.#options.storage.readText(id)) ?? '';
    if (!this.#texts.has(id)) this.#texts.set(id, () => text);
    return this.#texts.get(id)?.() ?? text;
  }

  /** Notes that the text of a draft changed. `readText` is called when the text is stored or asked for. */
  edit(id: string, readText: () => string): void {
    this.#texts.set(id, readText);
    this.#writer.changed(id, readText);
  }

  setParameter(id: string, name: string, entry: ParameterEntry): void {
    this.#change(id, { parameters: { ...this.#find(id)?.parameters, [name]: entry } });
  }

  rename(id: string, name: string): void {
    this.#change(id, { name });
  }

  /** Names the saved query that a tab shows (undefined: none), and the tab after it. */
  link(id: string, fields: Pick<Draft, 'saved'> & Partial<Pick<Draft, 'name'>>): void {
    this.#change(id, fields);
  }

  /** Stores the most rows that a run of a tab asks for; null: all. */
  setRowLimit(id: string, rowLimit: number | null): void {
    this.#change(id, { rowLimit });
  }

  /** Stores which kept result a tab shows; undefined: none. */
  setResult(id: string, result: Draft['result']): void {
    if (this.#find(id)?.result?.queryId !== result?.queryId) this.#change(id, { result });
  }

  /** Closes a tab and shows its neighbour. The text stays among the closed tabs. */
  close(id: string): void {
    const tabs = closeDraft(this.#state, id, this.#options.now());
    if (tabs === undefined) return;
    this.#set(tabs);
    this.#writer.changed(id);
    if (tabs.open.length === 0) this.create('');
  }

  /** Opens the tab that was closed last. */
  reopen(): void {
    const tabs = reopenDraft(this.#state);
    if (tabs?.activeId === undefined) return;
    this.#set(tabs);
    this.#writer.changed(tabs.activeId);
  }

  /** Stores all changes now. Returns whether all are stored. */
  flush(): Promise<boolean> {
    return this.#writer.flush();
  }

  /** Stores all changes when the page may be gone in a moment. Returns whether every draft is safe already. */
  flushNow(): boolean {
    const isSaved = this.#writer.unwritten().map((entry) => this.#options.journal.add(entry));
    void this.#writer.flush();
    return isSaved.every(Boolean);
  }

  /** Takes over a draft that another window wrote. */
  async refresh(id: string): Promise<void> {
    if (this.#writer.hasNewText(id)) return;
    const stored = (await this.#options.storage.list()).find((draft) => draft.id === id);
    const known = this.#find(id);
    if (stored === undefined || (known?.revision ?? 0) >= stored.revision || this.#writer.hasNewText(id)) return;
    this.#texts.delete(id);
    this.#put(stored);
    this.#emit({ kind: 'replaced', id });
  }

  #find(id: string): Draft | undefined {
    return findDraft(this.#state, id);
  }

  #newDraft(fields: Partial<Draft>): Draft {
    const times = { updatedMs: this.#options.now(), closedMs: null };
    return {
      name: null,
      title: '',
      parameters: {},
      ...fields,
      ...times,
      id: this.#options.createId(),
      order: nextOrder(this.#state),
      revision: 0,
    };
  }

  #change(id: string, fields: Partial<Draft>): void {
    const draft = this.#find(id);
    if (draft === undefined) return;
    this.#replace({ ...draft, ...fields });
    this.#writer.changed(id);
  }

  async #loadStored(): Promise<void> {
    try {
      const { open, closed, forgotten } = sortDrafts(await this.#options.storage.list());
      this.#set({ open, closed });
      if (forgotten.length > 0) await this.#options.storage.remove(forgotten);
    } catch (error) {
      this.#set({ saving: error instanceof DraftStorageError ? error.reason : 'unavailable' });
    }
  }

  /** Puts an entry of the journal into its draft, or into a new tab if the draft was written after it. */
  async #restore({ draftId, revision, text }: JournalEntry): Promise<void> {
    const stored = this.#find(draftId);
    if (stored?.revision === revision) this.edit(draftId, () => text);
    else if (text !== '' && (stored === undefined || (await this.textOf(draftId)) !== text))
      this.create(text, stored && { name: stored.name, parameters: stored.parameters, rowLimit: stored.rowLimit });
  }

  #fork(id: string, stored: Draft | undefined): Draft {
    const mine = this.#find(id);
    const fork = this.#newDraft({
      name: mine?.name ?? null,
      title: mine?.title ?? '',
      parameters: mine?.parameters ?? {},
      saved: mine?.saved,
      rowLimit: mine?.rowLimit,
      result: mine?.result,
    });
    const isActive = this.#state.activeId === id;
    this.#texts.set(fork.id, this.#texts.get(id) ?? (() => ''));
    this.#texts.delete(id);
    if (stored === undefined) this.#set({ open: this.#state.open.filter((draft) => draft.id !== id) });
    else this.#put(stored);
    this.#set({ open: [...this.#state.open, fork], activeId: isActive ? fork.id : this.#state.activeId });
    this.#emit({ kind: 'forked', from: id, to: fork.id });
    return fork;
  }

  #put(stored: Draft): void {
    this.#set(putDraft(this.#state, stored));
    if (this.#state.open.length === 0) this.create('');
  }

  #replace(draft: Draft): void {
    this.#set(replaceDraft(this.#state, draft));
  }

  #set(fields: Partial<DraftsState>): void {
    this.#state = { ...this.#state, ...fields };
    for (const listener of this.#listeners) listener();
  }

  #emit(event: DraftEvent): void {
    for (const listener of this.#eventListeners) listener(event);
  }
}
