const CELL = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;

/**
 * The cells of one CSV record without its line end, as the product's encoder writes them: an empty cell is nothing, `""` is the empty
 * text. Libraries that read CSV take the two for one, and a hash does not. Throws SyntaxError.
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

/** Joins lines until no cell is open, since a quoted cell may hold line ends. */
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
