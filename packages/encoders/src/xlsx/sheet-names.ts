import { withoutUnsafe } from '@sluice/contract/visible-text';

const NAME_CHARACTERS_MAX = 31;
const FORBIDDEN = /[\ufffe\uffff[\]:*?/\\]/g;

/**
 * Names of the sheets of one workbook: at most 31 characters, without characters that spreadsheets reject, and unique under any
 * comparison. `About`, `Overflow` and Excel's own `History` are never given to a query.
 */
export class SheetNames {
  readonly #taken = new Set(['about', 'overflow', 'history']);

  /** Returns a free name close to the wanted one. */
  take(wanted: string): string {
    const base =
      withoutUnsafe(wanted.toWellFormed())
        .replace(FORBIDDEN, '_')
        .replace(/^'+|'+$/g, '')
        .trim() || 'Sheet';
    for (let number = 1; ; number += 1) {
      const suffix = number === 1 ? '' : ` (${number})`;
      const name = `${shorten(base, NAME_CHARACTERS_MAX - suffix.length)}${suffix}`;
      const key = name.normalize('NFC').toLowerCase();
      if (this.#taken.has(key)) continue;
      this.#taken.add(key);
      return name;
    }
  }
}

/** Cuts a string without splitting a surrogate pair and without a quote at the end. */
function shorten(text: string, charactersMax: number): string {
  const cut = text.slice(0, charactersMax);
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).replace(/'+$/, '').trimEnd();
}
