const CELL = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;

/**
 * Returns the cells of one CSV record without its line end, as our encoder writes it: an empty cell is null (undefined here), `""` is the
 * empty string. CSV libraries do not tell the two apart, but a hash does. Throws SyntaxError.
 */
export function csvCells(record: string): (string | undefined)[] {
  const cells: (string | undefined)[] = [];
  CELL.lastIndex = 0;
  for (;;) {
    const found = CELL.exec(record);
    if (found === null) throw new SyntaxError('not a CSV record');
    const [, quoted, bare, end] = found;
    cells.push(quoted === undefined ? bare || undefined : quoted.replaceAll('""', '"'));
    if (end === '') return cells;
  }
}

/** Joins lines into records: a quoted cell may contain line ends. */
export async function* csvRecords(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let open: string[] = [];
  let isOpen = false;
  for await (const line of lines) {
    open.push(line);
    if ((line.match(/"/g)?.length ?? 0) % 2 === 1) isOpen = !isOpen;
    if (isOpen) continue;
    yield open.join('\n');
    open = [];
  }
  if (open.length > 0) yield open.join('\n');
}
