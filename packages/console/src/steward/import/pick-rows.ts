import { type CsvRecord, CsvRecordSplitter, splitCells } from '@sluice/contract/metadata-files';

/** An object of a file whose rows are now among the rows to correct. */
interface PickedObject {
  /** Line of its first row in the text. */
  readonly line: number;
  /** Line of its first row in the file. */
  readonly fileLine: number;
}

export interface PickedRows {
  /** The header of the file and the picked rows, as they are in the file. */
  readonly text: string;
  readonly objects: readonly PickedObject[];
}

const lineCount = (record: string): number => record.split(/\r\n|\r|\n/).length;

/** Writes rows one after the other, and knows the line of the next one. */
class RowWriter {
  readonly #rows: string[] = [];
  line = 1;

  write(row: string): void {
    this.#rows.push(`${row}\n`);
    this.line += lineCount(row);
  }

  end(): string {
    return this.#rows.join('');
  }
}

/**
 * Picks the rows of some objects of a CSV file that the host has accepted.
 * @param lines - lines on which the objects begin
 */
export async function pickRows(content: Blob, lines: { has(line: number): boolean }): Promise<PickedRows> {
  const splitter = new CsvRecordSplitter();
  const writer = new RowWriter();
  const objects: PickedObject[] = [];
  let header: readonly string[] | undefined;
  let current = '';
  let isPicked = false;
  const add = ({ line, text }: CsvRecord): void => {
    const cells = splitCells(text, splitter.separator) ?? [];
    if (header === undefined) {
      header = cells.map((cell) => cell.trim());
      if (splitter.excelLine !== '') writer.write(splitter.excelLine);
      writer.write(text);
      return;
    }
    const cell = (column: string): string => cells[header?.indexOf(column) ?? -1] ?? '';
    const key = JSON.stringify([cell('type'), cell('id')]);
    // In a report, a row with a line starts an object. A very wide object continues in a second one.
    if (key !== current || cell('line') !== '' || lines.has(line)) {
      isPicked = lines.has(line);
      if (isPicked) objects.push({ line: writer.line, fileLine: line });
    }
    current = key;
    if (isPicked) writer.write(text);
  };
  const reader = content.stream().pipeThrough(new TextDecoderStream()).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read())
    for (const record of splitter.push(read.value)) add(record);
  for (const record of splitter.finish()) add(record);
  return { text: writer.end(), objects };
}
