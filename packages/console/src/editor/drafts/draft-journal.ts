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
 * If the browser denies the storage, nothing is in the journal, and only the database saves drafts.
 * @param openStorage - may throw
 * @param owner - names tenant and user
 */
export function createDraftJournal(openStorage: () => Storage, owner: string): DraftJournal {
  const prefix = `sluice.journal ${owner} `;
  const keyOf = ({ draftId, revision }: JournalEntry): string => `${prefix}${draftId} ${revision}`;
  return {
    read: () => {
      try {
        const storage = openStorage();
        const keys = Object.keys(storage).filter((key) => key.startsWith(prefix));
        return keys.flatMap((key) => readEntry(storage.getItem(key)));
      } catch {
        return [];
      }
    },
    add: (entry) => {
      if (entry.text.length > TEXT_CHARACTERS_MAX) return false;
      try {
        openStorage().setItem(keyOf(entry), JSON.stringify(entry));
        return true;
      } catch {
        return false; // The quota is used up. The database may still have room, and the tab bar says if it has not.
      }
    },
    remove: (entries) => {
      try {
        for (const entry of entries) openStorage().removeItem(keyOf(entry));
      } catch {
        // There is nothing to remove.
      }
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
