import { type CsvRecord, CsvRecordSplitter, type CsvRow, FileFault } from '@sluice/contract/metadata-files';
import { parseString } from 'fast-csv';

const parse = (text: string, delimiter: string): Promise<string[][]> =>
  new Promise((resolve, reject) => {
    const rows: string[][] = [];
    parseString(text, { headers: false, delimiter })
      .on('error', reject)
      .on('data', (row: string[]) => rows.push(row))
      .on('end', () => resolve(rows));
  });

const BROKEN = 'is not valid CSV: put a cell with a quote in quotes, and double each quote inside';

const parseOne = ({ line, text }: CsvRecord, separator: string): Promise<CsvRow | FileFault> =>
  parse(text, separator).then(
    ([cells = []]) => ({ line, cells }),
    () => new FileFault(`line ${line}`, BROKEN),
  );

async function parseAll(records: readonly CsvRecord[], separator: string): Promise<(CsvRow | FileFault)[]> {
  const rows = await parse(records.map(({ text }) => text).join('\n'), separator).catch(() => undefined);
  if (rows?.length === records.length) {
    return records.map(({ line }, index) => ({ line, cells: rows[index] ?? [] }));
  }
  const single: (CsvRow | FileFault)[] = [];
  for (const record of records) single.push(await parseOne(record, separator));
  return single;
}

/** Reads the rows of a CSV file, in groups, with a FileFault for each broken row. Throws a FileFault if the rest cannot be read. */
export async function* readCsvRows(chunks: AsyncIterable<string>): AsyncGenerator<readonly (CsvRow | FileFault)[]> {
  const splitter = new CsvRecordSplitter();
  for await (const chunk of chunks) {
    const records = [...splitter.push(chunk)];
    if (records.length > 0) yield await parseAll(records, splitter.separator);
  }
  const records = [...splitter.finish()];
  yield await parseAll(records, splitter.separator);
}
