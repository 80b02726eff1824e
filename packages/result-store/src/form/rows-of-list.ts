const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];

/** Change of the depth by a byte outside of strings. */
const DEPTH = new Int8Array(256);
for (const bracket of Buffer.from('[{')) DEPTH[bracket] = 1;
for (const bracket of Buffer.from(']}')) DEPTH[bracket] = -1;

/**
 * Returns the part of a list of rows that has the rows from `from` to `to`, exclusive, joined by commas as they are in the list. The list is
 * valid JSON.
 */
export function rowsOfList(list: Uint8Array, from: number, to: number): Uint8Array {
  const start = from === 0 ? 1 : startOfRow(list, { row: 0, at: 1 }, from);
  const end = to <= from ? start : startOfRow(list, { row: from, at: start }, to) - 1;
  return list.subarray(start, Math.max(start, end));
}

/** Returns the index of a row, from that of a row before it. For a row beyond the end, it is the end. */
function startOfRow(list: Uint8Array, known: { readonly row: number; readonly at: number }, wanted: number): number {
  let { row, at } = known;
  let depth = 1;
  for (; at < list.length; at += 1) {
    const byte = list[at] as number;
    if (byte === QUOTE) at = endOfString(list, at);
    else if (byte !== COMMA) depth += DEPTH[byte] as number;
    else if (depth === 1) {
      row += 1;
      if (row === wanted) return at + 1;
    }
  }
  return list.length;
}

/** Returns the index of the closing quote of the string that begins at `at`. */
function endOfString(list: Uint8Array, at: number): number {
  let end = at + 1;
  while (list[end] !== QUOTE) end += list[end] === BACKSLASH ? 2 : 1;
  return end;
}
