const keyOf = (owner: string, id: string): string => `sluice.draft ${owner} ${id}`;

/**
 * Returns what a user of this browser has typed about an object and not saved yet.
 * @param owner - tenant and id of the account
 */
export function readDraft<Draft extends object>(owner: string, id: string): Draft | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(owner, id)) ?? 'null');
    return typeof kept === 'object' && kept !== null ? (kept as Draft) : undefined;
  } catch {
    // If the storage is disabled or damaged, only the draft is lost, at a reload.
    return undefined;
  }
}

/** Keeps a draft until it is saved or discarded (undefined). Returns false if the browser cannot keep it. */
export function keepDraft(owner: string, id: string, draft: object | undefined): boolean {
  try {
    if (draft === undefined) localStorage.removeItem(keyOf(owner, id));
    else localStorage.setItem(keyOf(owner, id), JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}
