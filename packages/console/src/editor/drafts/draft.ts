import type { ParameterEntry } from '../parameters/parameter-entry.ts';

/** Saved query that a tab shows, as it was read or saved last. */
export interface SavedQueryReference {
  readonly id: string;
  readonly entityTag: string | undefined;
}

/** Result of the last run of a tab that the host keeps. */
export interface DraftResult {
  readonly queryId: string;
  /** Epoch milliseconds. */
  readonly keptUntil: number;
}

/** A tab of the editor, without its text: a list of 1,000 tabs is loaded at once, their SQL when they are shown. */
export interface Draft {
  readonly id: string;
  /** Name that the user gave; null: the tab shows `title`. */
  readonly name: string | null;
  /** Beginning of the statement. Empty for an empty one. */
  readonly title: string;
  readonly parameters: Readonly<Record<string, ParameterEntry>>;
  /** Absent: the tab shows no saved query. */
  readonly saved?: SavedQueryReference | undefined;
  /** Most rows that a run of the tab asks for; null: all. Undefined: the user has not chosen. */
  readonly rowLimit?: number | null | undefined;
  /** Absent: the host keeps no result of the tab. */
  readonly result?: DraftResult | undefined;
  /** Tabs are sorted by it. */
  readonly order: number;
  /** Epoch milliseconds of the last change. */
  readonly updatedMs: number;
  /** Epoch milliseconds at which the tab was closed; null: it is open. */
  readonly closedMs: number | null;
  /** Number of writes so far. A window writes only over the revision that it has read. */
  readonly revision: number;
}

/** Result of a write: the new revision, or the draft that another window wrote (undefined: it removed the draft). */
export type WriteResult = { readonly written: number } | { readonly conflict: Draft | undefined };

/** Storage of drafts. Each method is one transaction. */
export interface DraftStorage {
  list(): Promise<readonly Draft[]>;
  readText(id: string): Promise<string | undefined>;
  /**
   * Writes a draft whose stored revision is still `draft.revision` (0: it is new).
   * @param text - the new text; undefined: it has not changed
   * @throws DraftStorageError
   */
  write(draft: Draft, text: string | undefined): Promise<WriteResult>;
  remove(ids: readonly string[]): Promise<void>;
}

/** Reason that drafts are not saved. `full`: the browser's quota is used up. */
export type StorageFailure = 'full' | 'unavailable';

export class DraftStorageError extends Error {
  readonly reason: StorageFailure;

  constructor(reason: StorageFailure, cause: unknown) {
    super(`The browser did not store a draft: ${reason}.`, { cause });
    this.name = 'DraftStorageError';
    this.reason = reason;
  }
}

const TITLE_CHARACTERS_MAX = 60;
const TITLE_SEARCH_CHARACTERS = 4_000;
const COMMENTS = /--[^\r\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** Returns the beginning of the first statement, for a tab without a name. */
export function titleOf(text: string): string {
  const start = text.slice(0, TITLE_SEARCH_CHARACTERS).replace(COMMENTS, ' ').replace(/\s+/g, ' ').trim();
  const characters = [...start];
  return characters.length > TITLE_CHARACTERS_MAX ? `${characters.slice(0, TITLE_CHARACTERS_MAX).join('')}…` : start;
}
