const QUOTED = /^"((?:[^"]|"")*)"$/s;

/**
 * Returns the cells of one record (RFC 4180), or undefined if it is broken: a quote within a plain cell, or text after a quoted one.
 * @param separator - one character between the cells
 */
export function splitCells(record: string, separator = ','): string[] | undefined {
  const cells: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at <= record.length; at += 1) {
    const character = record.charAt(at);
    if (character === '"') isQuoted = !isQuoted;
    if (at < record.length && (isQuoted || character !== separator)) continue;
    const cell = cellOf(record.slice(start, at));
    if (cell === undefined) return undefined;
    cells.push(cell);
    start = at + 1;
  }
  return isQuoted ? undefined : cells;
}

function cellOf(text: string): string | undefined {
  if (!text.includes('"')) return text;
  return QUOTED.exec(text)?.[1]?.replaceAll('""', '"');
}
