const keyOf = (owner: string): string => `sluice.import ${owner}`;

/**
 * Returns the text that this tab has pasted before and not imported.
 * @param owner - tenant and id of the account: the next user of the tab must not see it
 */
export function readPastedText(owner: string): string {
  try {
    return sessionStorage.getItem(keyOf(owner)) ?? '';
  } catch {
    return '';
  }
}

/** Saves pasted text for a reload of the page. If it is too long for the browser, it is on the page only. */
export function savePastedText(owner: string, text: string): void {
  try {
    sessionStorage.setItem(keyOf(owner), text);
  } catch {
    // As above.
  }
}
