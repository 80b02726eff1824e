import type { MetadataEdits } from './metadata-edit.ts';

const keyOf = (owner: string, id: string): string => `sluice.metadata ${owner} ${id}`;

/**
 * Returns the changes of an object that a user of this browser has not saved yet.
 * @param owner - tenant and id of the account
 */
export function readEditDraft(owner: string, id: string): MetadataEdits | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(owner, id)) ?? 'null');
    return typeof kept === 'object' && kept !== null && Object.keys(kept).length > 0
      ? (kept as MetadataEdits)
      : undefined;
  } catch {
    // A storage that is off or damaged costs the draft after a reload, and nothing else.
    return undefined;
  }
}

/** Keeps changes until they are saved or discarded. Returns false if the browser cannot keep them. */
export function keepEditDraft(owner: string, id: string, edits: MetadataEdits): boolean {
  try {
    if (Object.keys(edits).length === 0) localStorage.removeItem(keyOf(owner, id));
    else localStorage.setItem(keyOf(owner, id), JSON.stringify(edits));
    return true;
  } catch {
    return false;
  }
}
