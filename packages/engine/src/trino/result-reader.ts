import type { RenderRows, ResultEvent, RowsEvent, Statement, StoredRowsEvent } from '../engine.ts';
import type { WriterMemory } from '../row-writer-module/writer-memory.ts';
import { RowWriter } from './cells/row-writer.ts';
import { readColumns } from './cells/types.ts';
import { trinoProblem } from './errors.ts';
import { fileTypeOfTrino } from './file-types.ts';
import type { TrinoStats } from './protocol/error-fields.ts';
import { unreadable } from './protocol/json-scan.ts';
import type { ResultPage } from './protocol/result-page.ts';
import type { SegmentFetcher } from './protocol/segment-fetcher.ts';
import { isSpooled, readSegments } from './protocol/spooled-segments.ts';

interface ResultOptions {
  readonly render: RenderRows;
  readonly fetcher: SegmentFetcher;
  readonly rowsMax: number | undefined;
  readonly keepsRows?: Statement['keepsRows'];
  readonly allocate: (bytes: number) => Uint8Array;
  /** Opens the memory of the WebAssembly module. */
  readonly openMemory: () => WriterMemory;
  readonly onStats: (stats: TrinoStats) => void;
}

/** Yields the events of a result from its pages. Throws Trino's error about it, and if it is cut. */
export async function* readResult(
  pages: AsyncIterable<ResultPage>,
  options: ResultOptions,
): AsyncGenerator<ResultEvent> {
  let writer: RowWriter | undefined;
  try {
    for await (const page of pages) {
      if (writer === undefined && page.columns !== undefined) {
        const { columns, types } = readColumns(page.columns);
        const fileTypes = options.keepsRows ? types.map(fileTypeOfTrino) : undefined;
        yield { kind: 'columns', columns, ...(fileTypes && { fileTypes }) };
        writer = new RowWriter({ ...options, template: options.render(columns), columns, types });
      }
      failOnError(page);
      if (page.dataAt !== undefined) {
        if (writer === undefined) throw unreadable('it has rows, but no columns');
        yield* rowsOf(page, writer, options);
        if (writer.isLimited) return yield { kind: 'end', limited: true };
        failOnError(page); // what follows the rows is known only now
      }
      options.onStats(page.stats);
      if (page.nextUri === undefined) return yield endOf(page, writer);
    }
    throw unreadable('it is not the last page, but no page follows');
  } finally {
    writer?.[Symbol.dispose]();
  }
}

function failOnError(page: ResultPage): void {
  if (page.error !== undefined) throw trinoProblem(page.error);
}

/** Only a finished statement's last page proves that everything was sent: any page may merely lack a next address. */
function endOf(page: ResultPage, writer: RowWriter | undefined): ResultEvent {
  if (page.stats.state !== 'FINISHED') throw unreadable('it ends a result that is not finished');
  if (writer === undefined) throw unreadable('it ends a result that has no columns');
  return { kind: 'end', limited: false };
}

/** Rows of a page, also in their stored form if they are kept. */
type PageRows = RowsEvent | StoredRowsEvent;

async function* rowsOf(page: ResultPage, writer: RowWriter, options: ResultOptions): AsyncGenerator<PageRows> {
  const isSegmented = isSpooled(page.bytes, page.dataAt ?? 0);
  yield* isSegmented ? segmentRows(page, writer, options.fetcher) : directRows(page, writer);
}

function* directRows(page: ResultPage, writer: RowWriter): Generator<PageRows> {
  const end = yield* writer.events(page.bytes, page.dataAt ?? 0);
  if (!writer.isLimited) page.finish(end);
}

/** Trino counts the rows before and in each segment, so that a lost or repeated one is detected. */
async function* segmentRows(page: ResultPage, writer: RowWriter, fetcher: SegmentFetcher): AsyncGenerator<PageRows> {
  for await (const { segment, bytes } of fetcher.fetch(readSegments(page.takeData()))) {
    const before = writer.rows;
    if (segment.rowOffset !== undefined && segment.rowOffset !== before) {
      throw unreadable('rows before a segment are missing');
    }
    yield* writer.events(bytes, 0);
    if (writer.isLimited) return;
    if (segment.rowsCount !== undefined && writer.rows !== before + segment.rowsCount) {
      throw unreadable('a segment does not have the number of rows that Trino reports');
    }
  }
}
