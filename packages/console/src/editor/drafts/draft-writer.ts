import { type Draft, type DraftStorage, DraftStorageError, type StorageFailure, titleOf } from './draft.ts';
import type { JournalEntry } from './draft-journal.ts';

/** Pause after a change before it is written, and the longest time that a change waits while the user types on. */
const SAVE_DELAY_MS = 300;
const SAVE_DELAY_MAX_MS = 2_000;
/** A failed write is tried again: another tab may have made room. */
const RETRY_MS = 10_000;

export interface DraftWriterOptions {
  readonly storage: DraftStorage;
  readonly now: () => number;
  /** Returns a draft as this window has it; undefined: it is not there any more. */
  readonly current: (id: string) => Draft | undefined;
  readonly onWritten: (id: string, written: Pick<Draft, 'title' | 'updatedMs' | 'revision'>) => void;
  /** Another window wrote this draft while this one had changes for it. Creates the draft that takes the changes. */
  readonly fork: (id: string, stored: Draft | undefined) => Draft;
  readonly onSaving: (saving: 'saved' | 'unsaved' | StorageFailure) => void;
}

/** Reads the text to write; undefined: only the other fields of the draft changed. */
type ReadText = (() => string) | undefined;

/** Writes changed drafts to the storage, one after the other, never over what another window wrote. */
export class DraftWriter {
  readonly #options: DraftWriterOptions;
  readonly #changes = new Map<string, ReadText>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firstChangeMs: number | undefined;
  #writing: Promise<boolean> = Promise.resolve(true);

  constructor(options: DraftWriterOptions) {
    this.#options = options;
  }

  /** Notes a change, which is written after a pause. `readText` is called when it is written, not at each keystroke. */
  changed(id: string, readText?: () => string): void {
    this.#changes.set(id, readText ?? this.#changes.get(id));
    this.#options.onSaving('unsaved');
    this.#schedule();
  }

  hasNewText(id: string): boolean {
    return this.#changes.get(id) !== undefined;
  }

  /** Writes all changes now. Returns whether all of them are stored. */
  flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#firstChangeMs = undefined;
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  /** Returns the changes that are not stored yet. */
  unwritten(): JournalEntry[] {
    return [...this.#changes].flatMap(([draftId, readText]) =>
      readText === undefined
        ? []
        : [{ draftId, revision: this.#options.current(draftId)?.revision ?? 0, text: readText() }],
    );
  }

  #schedule(): void {
    const now = this.#options.now();
    this.#firstChangeMs ??= now;
    const delay = Math.min(SAVE_DELAY_MS, Math.max(this.#firstChangeMs + SAVE_DELAY_MAX_MS - now, 0));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), delay);
  }

  async #writeAll(): Promise<boolean> {
    for (const [id, readText] of [...this.#changes]) {
      try {
        await this.#write(id, readText);
      } catch (error) {
        this.#options.onSaving(error instanceof DraftStorageError ? error.reason : 'unavailable');
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.flush(), RETRY_MS);
        return false;
      }
    }
    if (this.#changes.size === 0) this.#options.onSaving('saved');
    return this.#changes.size === 0;
  }

  async #write(id: string, readText: ReadText): Promise<void> {
    const current = this.#options.current(id);
    const text = readText?.();
    if (current !== undefined) {
      const draft = {
        ...current,
        title: text === undefined ? current.title : titleOf(text),
        updatedMs: this.#options.now(),
      };
      const result = await this.#options.storage.write(draft, text);
      if ('written' in result) this.#wrote(draft, result.written);
      else if (text === undefined) await this.#rebase(draft, result.conflict);
      else await this.#fork(draft, text, result.conflict);
    }
    // A change that came during the write stays for the next one.
    if (this.#changes.get(id) === readText) this.#changes.delete(id);
  }

  #wrote({ id, title, updatedMs }: Draft, revision: number): void {
    this.#options.onWritten(id, { title, updatedMs, revision });
  }

  /** Only name, parameters or place changed here: they are written over the newer text. */
  async #rebase(draft: Draft, stored: Draft | undefined): Promise<void> {
    if (stored === undefined) return;
    const rebased = { ...draft, title: stored.title, revision: stored.revision };
    const result = await this.#options.storage.write(rebased, undefined);
    if ('written' in result) this.#wrote(rebased, result.written);
    else await this.#rebase(rebased, result.conflict);
  }

  async #fork(draft: Draft, text: string, stored: Draft | undefined): Promise<void> {
    if (stored !== undefined && (await this.#options.storage.readText(draft.id)) === text) {
      this.#wrote(draft, stored.revision);
      return;
    }
    // The newest text goes along: the user may have typed on while the storage was asked.
    const readText = this.#changes.get(draft.id) ?? (() => text);
    this.#changes.delete(draft.id);
    const fork = this.#options.fork(draft.id, stored);
    this.#changes.set(fork.id, readText);
    await this.#write(fork.id, readText);
  }
}
