/** Returns a setting of this browser. Null if there is none, or the storage is disabled. */
export function readLocalSetting(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a setting of this browser; null removes it. With a full or disabled storage it is lost when the page is left. */
export function storeLocalSetting(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // As above.
  }
}
