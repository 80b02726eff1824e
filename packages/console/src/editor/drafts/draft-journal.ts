/** Text of a draft that was not yet written when its window was closed. */
export interface JournalEntry {
  readonly draftId: string;
  /** Revision of the draft that the text was typed over. */
  readonly revision: number;
  readonly text: string;
}

/**
 * Last-moment copy of changes. A page that is closed may write to it immediately; a transaction of a database may not finish in time.
 */
export interface DraftJournal {
  read(): readonly JournalEntry[];
  /** Returns whether the entry is saved. */
  add(entry: JournalEntry): boolean;
  remove(entries: readonly JournalEntry[]): void;
}

/** Longest text in the journal. Browsers give localStorage 5 million characters for all windows. */
const TEXT_CHARACTERS_MAX = 1_000_000;

/**
 * Creates the journal of a user in localStorage. Each revision of a draft has its own key, so two windows do not overwrite each other.
 * @param owner - names tenant and user
 */
export function createDraftJournal(storage: Storage, owner: string): DraftJournal {
  const prefix = `sluice.journal ${owner} `;
  const keyOf = ({ draftId, revision }: JournalEntry): string => `${prefix}${draftId} ${revision}`;
  return {
    read: () =>
      Object.keys(storage)
        .filter((key) => key.startsWith(prefix))
        .flatMap((key) => readEntry(storage.getItem(key))),
    add: (entry) => {
      if (entry.text.length > TEXT_CHARACTERS_MAX) return false;
      try {
        storage.setItem(keyOf(entry), JSON.stringify(entry));
        return true;
      } catch {
        return false; // The quota is used up. The database may still have room, and the tab bar says if it has not.
      }
    },
    remove: (entries) => {
      for (const entry of entries) storage.removeItem(keyOf(entry));
    },
  };
}

function readEntry(json: string | null): JournalEntry[] {
  try {
    const { draftId, revision, text } = JSON.parse(json ?? '') as Partial<JournalEntry>;
    const isEntry = typeof draftId === 'string' && typeof revision === 'number' && typeof text === 'string';
    return isEntry ? [{ draftId, revision, text }] : [];
  } catch {
    return [];
  }
}
