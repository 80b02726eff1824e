import { CsvObjects, type RawObject, readHeader, splitCells } from '@sluice/contract/metadata-files';
import { readRecords } from './csv-file.ts';
import { decodeFile } from './decode-file.ts';

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
 * Picks the rows of some objects of a CSV file that has no mistakes.
 * @param lines - lines on which the objects begin
 */
export async function pickRows(content: Blob, lines: { has(line: number): boolean }): Promise<PickedRows> {
  const writer = new RowWriter();
  const picked: PickedObject[] = [];
  let objects: CsvObjects | undefined;
  let rows: string[] = [];
  const endObject = ({ line: fileLine }: RawObject): void => {
    if (lines.has(fileLine)) {
      picked.push({ line: writer.line, fileLine });
      for (const row of rows) writer.write(row);
    }
    rows = [];
  };
  for await (const { separator, excelLine, records } of readRecords(decodeFile(content)))
    for (const { line, text } of records) {
      const row = { line, cells: splitCells(text, separator) ?? [] };
      if (objects === undefined) {
        objects = new CsvObjects(readHeader(row));
        if (excelLine !== '') writer.write(excelLine);
        writer.write(text);
      } else {
        for (const object of objects.add(row)) endObject(object);
        rows.push(text);
      }
    }
  for (const object of objects?.end() ?? []) endObject(object);
  return { text: writer.end(), objects: picked };
}
