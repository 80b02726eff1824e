const KEY = 'sluice.import';

/** Returns the text that this tab has pasted before and not imported. */
export function readPastedText(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

/** Saves pasted text for a reload of the page. If it is too long for the browser, it is on the page only. */
export function savePastedText(text: string): void {
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // As above.
  }
}
