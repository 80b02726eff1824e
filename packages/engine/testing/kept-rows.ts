import { createFormat } from '@sluice/encoders';
import type { Engine } from '../src/engine.ts';
import { writeStoredRows } from '../src/stored/write-stored-rows.ts';
import { formatSpec, type ReadOptions } from './read-result.ts';

/** Every format that is written from rows, in each of its forms. */
export const ROW_FORMATS: readonly ReadOptions['format'][] = [
  { name: 'sse' },
  { name: 'json' },
  { name: 'json', bigNumbers: 'string' },
  { name: 'ndjson' },
  { name: 'csv' },
  { name: 'csv', bigNumbers: 'string', formulas: 'prefix', separator: ';' },
  { name: 'csv', formulas: 'prefix', separator: '\t', hasByteOrderMark: true },
  { name: 'xlsx' },
  { name: 'xlsx', dates: 'marked' },
];

/** The rows of one run: as a client gets them, and as the worker stores them. */
export interface StoredRun {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly fileTypes: readonly string[];
  readonly sent: Buffer;
  readonly sentRows: number;
  /** One list of rows for each event or row. */
  readonly chunks: readonly Buffer[];
  readonly storedRows: number;
}

/** Runs a statement to its end and keeps its rows. */
export async function runKept(
  engine: Pick<Engine, 'run'>,
  sql: string,
  { format, timeZone = 'UTC', rowsMax }: Omit<ReadOptions, 'parameters' | 'signal'>,
): Promise<StoredRun> {
  const rendered = createFormat(formatSpec(format));
  const statement = {
    sql,
    queryId: '00000000-0000-4000-8000-000000000000',
    user: 'reader@acme.example',
    timeZone,
    rowsMax,
    keepsRows: true,
  };
  let fileTypes: readonly string[] = [];
  const run = { columns: [] as { name: string; type: string }[], sent: [] as Buffer[], sentRows: 0, storedRows: 0 };
  const chunks: Buffer[] = [];
  let pieces: Buffer[] = [];
  let isOver = false;
  for await (const event of engine.run(statement, (columns) => rendered.row(columns), new AbortController().signal)) {
    if (event.kind === 'columns') {
      run.columns = [...event.columns];
      fileTypes = event.fileTypes ?? [];
    } else if (event.kind === 'end') isOver = true;
    else if (event.kind === 'rows') {
      run.sent.push(Buffer.from(event.bytes));
      run.sentRows += event.rows;
      event.release?.();
    } else {
      const isStart = pieces.length === 0 && event.bytes[0] === 0x2c;
      pieces.push(Buffer.from(event.bytes.subarray(isStart ? 1 : 0)));
      run.storedRows += event.rows;
      if (event.rows === 0) continue;
      chunks.push(Buffer.from(`[${Buffer.concat(pieces).toString('utf8')}]`));
      pieces = [];
    }
  }
  if (!isOver) throw new Error('The result ended without its end event');
  return { ...run, fileTypes, sent: Buffer.concat(run.sent), chunks };
}

/** Writes stored rows in a format. */
export async function replay(
  { columns, chunks }: StoredRun,
  format: ReadOptions['format'],
  usesModule = true,
): Promise<Buffer> {
  const template = createFormat(formatSpec(format)).row(columns);
  const written: Buffer[] = [];
  for await (const event of writeStoredRows(chunks, { columns, template, usesModule }))
    written.push(Buffer.from(event.bytes));
  return Buffer.concat(written);
}
