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
  let open = '';
  for await (const line of lines) {
    const record = open === '' ? line : `${open}\n${line}`;
    const isOpen = (record.match(/"/g)?.length ?? 0) % 2 === 1;
    open = isOpen ? record : '';
    if (!isOpen) yield record;
  }
  if (open !== '') yield open;
}
