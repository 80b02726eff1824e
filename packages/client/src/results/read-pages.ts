import type { Column } from '../contract-types.ts';
import { IncompleteResultError, ResponseError, SluiceError } from '../errors.ts';
import { ANSWER_BYTES_MAX, hostOf, readText } from '../http/read-json.ts';
import { type ResumeOptions, Resumer } from '../http/resume.ts';
import type { SendRequest } from '../http/send-request.ts';
import { findViolation } from '../operations/check-answer.ts';
import { expandPath } from '../operations/expand-path.ts';
import type { Row } from '../queries/parse-events.ts';
import { createRowConverter, type NumberMode } from '../queries/row-converter.ts';
import { createRowSplitter, type RowText } from '../queries/split-row.ts';

export interface ResultRowsOptions extends ResumeOptions {
  /** Number of the first row; the first of all is 0. Default: 0. */
  readonly from?: number | undefined;
  /** Number of the row behind the last one. Default: the end of the result. */
  readonly to?: number | undefined;
  /** Maximum number of rows of a page, from 1 to 10,000. Default: 1,000. */
  readonly pageRows?: number | undefined;
  /** Representation of numbers that a double may round. Default: `bigint`. */
  readonly numbers?: NumberMode | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of rows that are the JSON text of their values. */
export interface TextResultRowsOptions extends Omit<ResultRowsOptions, 'numbers'> {
  /** Rows by position, as of a query. */
  readonly rows: 'text';
}

type AnyRowsOptions = ResultRowsOptions | TextResultRowsOptions;

export interface PagesContext {
  readonly send: SendRequest;
  readonly timeoutMs: number;
  readonly retryDelayMaxMs: number;
}

interface Answer {
  readonly metadata: { readonly columns: readonly Column[] };
  readonly rows: number;
  readonly from: number;
  readonly data: Row[];
}

interface Page {
  readonly total: number;
  readonly from: number;
  readonly rows: readonly (Row | RowText)[];
}

const PAGE_ROWS = 1_000;
const PAGE_ROWS_MAX = 10_000;
/** Beginning of the rows. Within a string, its quotes would have a backslash. */
const DATA = '"data":[';
const OPERATION = 'readRows';

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0;

/** @throws TypeError naming the first option that is not valid */
function readRange({ from = 0, to = Number.POSITIVE_INFINITY, pageRows = PAGE_ROWS }: AnyRowsOptions) {
  if (!isCount(from)) throw new TypeError('from must be a whole number of at least 0.');
  if (to !== Number.POSITIVE_INFINITY && !(isCount(to) && to >= from))
    throw new TypeError('to must be a whole number that is not below from.');
  if (!isCount(pageRows) || pageRows < 1 || pageRows > PAGE_ROWS_MAX)
    throw new TypeError(`pageRows must be a whole number from 1 to ${PAGE_ROWS_MAX}.`);
  return { from, to, pageRows };
}

/** Splits the rows of a page into the JSON of their values. */
function splitRows(text: string, start: number, columns: readonly Column[]): RowText[] {
  const split = createRowSplitter(columns);
  const rows: RowText[] = [];
  for (let index = text.indexOf('{', start); index !== -1; index = text.indexOf('{', index)) {
    const { row, end } = split(text, index);
    rows.push(row);
    index = end;
  }
  return rows;
}

function parsePage(text: string, options: AnyRowsOptions, check: (answer: unknown) => Answer): Page {
  const isText = 'rows' in options;
  const start = isText ? text.indexOf(DATA) + DATA.length : text.length;
  const answer = check(JSON.parse(isText ? `${text.slice(0, start)}]}` : text));
  const { columns } = answer.metadata;
  const page = { total: answer.rows, from: answer.from };
  if (isText) return { ...page, rows: splitRows(text, start, columns) };
  createRowConverter(columns, options.numbers ?? 'bigint')?.(answer.data);
  return { ...page, rows: answer.data };
}

/** Reads one page. Throws IncompleteResultError `cut` if it is not whole. */
async function readPage(
  { send, timeoutMs }: PagesContext,
  id: string,
  range: { readonly from: number; readonly size: number },
  options: AnyRowsOptions,
): Promise<Page> {
  const { signal } = options;
  // JSON.parse would round numbers.
  const query = { ...range, big_numbers: 'rows' in options ? 'number' : 'string' };
  const response = await send({
    operation: OPERATION,
    host: 'stream',
    method: 'GET',
    path: expandPath('/query/{id}/rows', { id }, query),
    isAuthenticated: true,
    repeatability: 'safe',
    signal,
    timeoutMs,
  });
  const ids = { queryId: id, requestId: response.headers.get('x-request-id') ?? undefined };
  const check = (answer: unknown): Answer => {
    const violation = findViolation(OPERATION, answer);
    if (violation === undefined) return answer as Answer;
    const message = `The server's answer is not valid: ${violation} (${OPERATION}). Check the URL, and that the server is as new as this client.`;
    throw new ResponseError('unexpected_response', message, { ...ids, status: response.status });
  };
  try {
    return parsePage(await readText(response, { bytesMax: ANSWER_BYTES_MAX, timeoutMs }), options, check);
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof SluiceError) throw cause;
    const message = `A page of the result from ${hostOf(response)} is not whole. Read it again.`;
    throw new IncompleteResultError('cut', message, { ...ids, cause });
  }
}

/**
 * Yields the rows of a kept result in pages, each of them requested when the loop reaches it.
 * @throws TypeError for options that are not valid; ResponseError `not_found` if the result is not kept, also in the middle;
 * IncompleteResultError if a page cannot be read whole or lacks rows
 */
export async function* readPages(
  context: PagesContext,
  id: string,
  options: AnyRowsOptions = {},
): AsyncGenerator<(Row | RowText)[], void, undefined> {
  const { from, to, pageRows } = readRange(options);
  const resumer = new Resumer(options, options.signal, context.retryDelayMaxMs);
  const read = async (range: { readonly from: number; readonly size: number }): Promise<Page> => {
    for (;;) {
      try {
        return await readPage(context, id, range, options);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!(await resumer.next(error, range.from - from))) throw error;
      }
    }
  };
  for (let at = from; at < to; ) {
    const size = Math.min(pageRows, to - at);
    const page = await read({ from: at, size });
    const expected = Math.min(size, Math.max(0, page.total - at));
    if (page.from !== at || page.rows.length !== expected) {
      const message = `The result is incomplete: ${page.rows.length} rows from row ${page.from} arrived, not ${expected} from row ${at}. Read it again.`;
      throw new IncompleteResultError('row_count', message, { queryId: id });
    }
    if (expected > 0) yield [...page.rows];
    at += expected;
    if (expected < size || at >= page.total) return;
  }
}
