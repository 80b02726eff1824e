import {
  CsvObjects,
  type CsvRecord,
  CsvRecordSplitter,
  type CsvRow,
  FileFault,
  type RawObject,
  readHeader,
  splitCells,
} from '@sluice/contract/metadata-files';
import type { FileItems, FileReader } from './file-items.ts';
import { NdjsonWriter } from './ndjson-writer.ts';

const BROKEN = 'is not valid CSV: put a cell with a quote in quotes, and double each quote inside';
const rowOf = ({ line, text }: CsvRecord, separator: string): CsvRow | FileFault => {
  const cells = splitCells(text, separator);
  return cells === undefined ? new FileFault(`line ${line}`, BROKEN) : { line, cells };
};

/** Keeps the mistake of one row after what was read before it, so that those of later rows are found too. */
function* orFault(read: Iterable<RawObject>): Generator<RawObject | FileFault> {
  try {
    yield* read;
  } catch (thrown) {
    if (!(thrown instanceof FileFault)) throw thrown;
    yield thrown;
  }
}

/** Records that end in a part of a file. */
interface CsvPart {
  readonly separator: string;
  /** The line for Excel. Empty: the file has none. */
  readonly excelLine: string;
  readonly records: readonly CsvRecord[];
}

/** Yields the records of a file, part by part. */
export async function* readRecords(chunks: AsyncIterable<string>): AsyncGenerator<CsvPart> {
  const splitter = new CsvRecordSplitter();
  const part = (records: readonly CsvRecord[]): CsvPart => ({
    separator: splitter.separator,
    excelLine: splitter.excelLine,
    records,
  });
  for await (const chunk of chunks) yield part([...splitter.push(chunk)]);
  yield part([...splitter.finish()]);
}

async function* readItems(chunks: AsyncIterable<string>, onOther: () => void): FileItems {
  let objects: CsvObjects | undefined;
  for await (const { separator, excelLine, records } of readRecords(chunks)) {
    if (separator !== ',' || excelLine !== '') onOther();
    const items: (RawObject | FileFault)[] = [];
    for (const record of records) {
      const row = rowOf(record, separator);
      if (row instanceof FileFault) items.push(row);
      else if (objects === undefined) objects = new CsvObjects(readHeader(row));
      else items.push(...orFault(objects.add(row)));
    }
    yield items;
  }
  yield [...(objects?.end() ?? [])];
}

/** Reads the objects of a CSV file. One with other separators than commas is sent as NDJSON. */
export function csvObjects(chunks: AsyncIterable<string>): FileReader {
  const writer = new NdjsonWriter();
  let isRewritten = false;
  const items = async function* (): FileItems {
    const read = readItems(chunks, () => {
      isRewritten = true;
    });
    for await (const group of read) {
      if (isRewritten) for (const item of group) if (!(item instanceof FileFault)) writer.add(item);
      yield group;
    }
  };
  return { items: items(), rewritten: () => (isRewritten ? writer.end() : undefined) };
}
