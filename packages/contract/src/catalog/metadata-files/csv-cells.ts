/** Removes a value. An empty cell leaves it unchanged. */
const REMOVE = '\\N';
/** Strings that would be read as `\N`, or as an escaped one. */
const LIKE_REMOVE = /^\\+N$/;

/** Writes a string. Undefined: unchanged; null or empty: removed. */
export const writeText = (value: string | null | undefined): string => {
  if (value === undefined) return '';
  if (value === null || value === '') return REMOVE;
  return LIKE_REMOVE.test(value) ? `\\${value}` : value;
};

/** Reads a string as `writeText` writes it. */
export const readText = (cell: string): string | null | undefined => {
  if (cell === '') return undefined;
  if (cell === REMOVE) return null;
  return LIKE_REMOVE.test(cell) ? cell.slice(1) : cell;
};

/** Writes a list, with `;` between items. Undefined: unchanged. No item may be empty. */
export const writeList = (items: readonly string[] | undefined): string => {
  if (items === undefined) return '';
  return items.length === 0 ? REMOVE : items.map((item) => item.replaceAll(/[\\;]/g, '\\$&')).join(';');
};

const ITEM_PART = /\\(.)|([^\\;]+)|(;)|(\\)$/gsu;

/** Reads a list as `writeList` writes it. Returns a sentence if a backslash does not escape `;` or itself. */
export function readList(cell: string): readonly string[] | undefined | { readonly fault: string } {
  if (cell === '') return undefined;
  if (cell === REMOVE) return [];
  const items = [''];
  for (const [, escaped, text, separator] of cell.matchAll(ITEM_PART)) {
    if (separator !== undefined) {
      items.push('');
      continue;
    }
    if (text === undefined && escaped !== ';' && escaped !== '\\') {
      return { fault: 'has a single backslash; write \\\\ for a backslash and \\; for a semicolon within an item' };
    }
    items[items.length - 1] += text ?? escaped ?? '';
  }
  return items;
}
