import type { DuckDBDataChunk, DuckDBMaterializedResult, DuckDBResult } from '@duckdb/node-api';
import duckdb from '@duckdb/node-bindings';
import { ProblemError } from '@sluice/contract/problems';
import { type RowTemplate, storedRows } from '@sluice/encoders';
import type { ResultEvent, RowsEvent, StoredRowsEvent } from '../../engine.ts';
import { WriterMemory } from '../../row-writer-module/writer-memory.ts';
import { type CellContext, cellExpression } from '../cells/cells.ts';
import { xlsxCellExpression } from '../cells/xlsx-cells.ts';
import { duckDbProblem } from '../errors.ts';
import { lostError } from '../lost-error.ts';
import { AbandonedWork } from '../planning-limit.ts';
import { preparedAround } from '../prepare-around.ts';
import type { RenderedQuery } from '../rendered-query.ts';
import { rawVector } from '../rows/raw-chunk.ts';
import type { Session } from '../session/session.ts';
import { columnAlias, type WrappedSource, wrapSource } from '../source.ts';
import { ChunkWriter } from './chunk-writer.ts';
import { bytesOfWide, fitsMemory, type LayoutPlan, layOutRows, planLayout } from './row-layout.ts';
import { RAW_COLUMN, type StoredColumn, storedColumn } from './stored-column.ts';

/** Returns whether the last row of a chunk is the end mark: true in a BOOLEAN column (one byte per value). */
function hasEndMark(chunk: DuckDBDataChunk, column: number): boolean {
  return duckdb.vector_get_data(rawVector(chunk, column), chunk.rowCount)[chunk.rowCount - 1] === 1;
}

/** Materializing a result of up to this many rows costs less than a stream. */
const SMALL_ROWS_MAX = 1_000;

/**
 * While a chunk with more bytes of long strings is passed on, the next one is not computed: a worker's memory cannot hold two chunks of
 * 2,048 strings of 100 kB.
 */
const CHUNK_BYTES_AHEAD_MAX = 32 * 1024 * 1024;

/** A result whose rows the writer can write. */
interface TypedQuery {
  readonly query: RenderedQuery;
  readonly writer: ChunkWriter;
  /** Writes the rows in their stored form; undefined if they are not kept. */
  readonly storedWriter: ChunkWriter | undefined;
  /** Frees the memory of the writers. */
  readonly end: () => void;
  /** SQL of each column of the chunks: the alias of a column, or its finished cell. */
  readonly selected: readonly string[];
  readonly isUnmodified: boolean;
}

/** Returns the rows of a result, written by the WebAssembly module from the columns as the engine stores them, and then its end. */
export function typedResult(
  memory: WriterMemory,
  session: Session,
  query: RenderedQuery,
): AsyncGenerator<ResultEvent, void> {
  const typed = layOutQuery(memory, query);
  const { writer, storedWriter, end } = typed;
  return ended(isSmall(query) ? smallResult(session, typed) : streamedResult(session, typed), () => {
    writer.end();
    storedWriter?.end();
    end();
  });
}

function layOutQuery(shared: WriterMemory, query: RenderedQuery): TypedQuery {
  const { template, source, statement, allocate } = query;
  const chunkColumns = new Map<string, number>();
  const plan = planTemplate(template, query, chunkColumns);
  const storedTemplate = statement.keepsRows === true ? storedRows(source.shape.columns) : undefined;
  const storedPlan = storedTemplate && planTemplate(storedTemplate, query, chunkColumns);
  const selected = [...chunkColumns.keys()];
  const { memory, end } = memoryFor(shared, plan);
  try {
    const writer = new ChunkWriter(memory, layOutRows(memory, plan), { template, allocate });
    const storedWriter = storedPlan && openStoredWriter(memory, storedPlan, allocate);
    const isUnmodified =
      selected.length === source.shape.columns.length && selected.every((sql, index) => sql === columnAlias(index));
    return { query, writer, storedWriter, end, selected, isUnmodified };
  } catch (thrown) {
    end();
    throw thrown;
  }
}

/** Plans the rows of a template, and adds the columns that it needs to those of the chunks, by their SQL. */
function planTemplate(
  template: RowTemplate,
  { source, statement }: RenderedQuery,
  chunkColumns: Map<string, number>,
): LayoutPlan {
  const { columns, types } = source.shape;
  const { style } = template;
  const finishedCell = style.notation === 'xlsx' ? xlsxCellExpression : cellExpression;
  const stored = types.map((type) => storedColumn(type, style, statement.timeZone));
  const context = { style, timeZone: statement.timeZone, longStrings: longStringsIn(template) } as const;
  const places = types.map((type, index) => {
    const sql =
      stored[index] === undefined
        ? finishedCell(type, columnAlias(index), { ...context, column: columns[index]?.name ?? '' })
        : columnAlias(index);
    const place = chunkColumns.get(sql) ?? chunkColumns.size;
    chunkColumns.set(sql, place);
    return place;
  });
  const stores = stored.map((column): StoredColumn => column ?? RAW_COLUMN);
  return planLayout(template, stores, places);
}

/** Returns undefined if there is no memory for the stored form of a wide result, whose rows are sent nevertheless. */
function openStoredWriter(
  shared: WriterMemory,
  plan: LayoutPlan,
  allocate: RenderedQuery['allocate'],
): ChunkWriter | undefined {
  try {
    const memory = fitsMemory(shared, plan) ? shared : WriterMemory.forBytes(bytesOfWide(shared, plan));
    return new ChunkWriter(memory, layOutRows(memory, plan), { template: plan.template, allocate });
  } catch (thrown) {
    if (thrown instanceof RangeError) return undefined;
    throw thrown;
  }
}

/** Takes the first `rows` rows of a chunk, and returns the bytes of their long strings. */
const load = ({ writer, storedWriter }: TypedQuery, chunk: DuckDBDataChunk, rows: number): number =>
  Math.max(writer.load(chunk, rows), storedWriter?.load(chunk, rows) ?? 0);

function* write({ writer, storedWriter }: TypedQuery): Generator<RowsEvent | StoredRowsEvent> {
  yield* writer.write();
  for (const { rows, bytes, release } of storedWriter?.write() ?? []) {
    yield { kind: 'stored rows', rows, bytes };
    release?.();
  }
}

/** Returns how finished cells contain long strings. */
const longStringsIn = ({ style }: RowTemplate): CellContext['longStrings'] =>
  style.notation === 'json' ? 'marked' : 'whole';

interface MemoryInUse {
  readonly memory: WriterMemory;
  readonly end: () => void;
}

/** Returns the memory of the worker, or one of its own for a result that does not fit it. */
function memoryFor(shared: WriterMemory, plan: LayoutPlan): MemoryInUse {
  if (shared.begin()) {
    if (fitsMemory(shared, plan)) return { memory: shared, end: () => shared.end() };
    shared.end();
  }
  try {
    return { memory: WriterMemory.forBytes(bytesOfWide(shared, plan)), end: () => undefined };
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const message = `The result has ${plan.stored.length} columns, and there is not enough memory to write its rows. Select fewer columns.`;
    throw new ProblemError('resource_limit', message, { cause });
  }
}

async function* ended(events: AsyncGenerator<ResultEvent, void>, end: () => void): AsyncGenerator<ResultEvent, void> {
  try {
    yield* events;
  } finally {
    end();
  }
}

/** Whether a result has few rows, by its own LIMIT or by the limit of the request. */
function isSmall({ checked, statement }: RenderedQuery): boolean {
  const rows = Math.min(
    checked.facts.rowLimit ?? Number.POSITIVE_INFINITY,
    statement.rowsMax ?? Number.POSITIVE_INFINITY,
  );
  return checked.kind === 'query' && rows <= SMALL_ROWS_MAX;
}

/** A materialized result: the engine itself reports an error, before the first row. */
async function* smallResult(session: Session, typed: TypedQuery): AsyncGenerator<ResultEvent, void> {
  const { statement, signal } = typed.query;
  const rowsMax = statement.rowsMax ?? Number.POSITIVE_INFINITY;
  const result = await runSmall(session, typed);
  let sent = 0;
  let isLimited = false;
  // The chunks point into the result, so it is read after the last chunk too: that keeps it alive until then.
  for (let index = 0; index < result.chunkCount; index += 1) {
    const chunk = result.getChunk(index);
    signal.throwIfAborted();
    const wanted = Math.min(chunk.rowCount, rowsMax - sent);
    isLimited ||= wanted < chunk.rowCount;
    load(typed, chunk, wanted);
    yield* write(typed);
    sent += wanted;
  }
  yield { kind: 'end', limited: isLimited };
}

async function runSmall(
  session: Session,
  { query, selected, isUnmodified }: TypedQuery,
): Promise<DuckDBMaterializedResult> {
  const { statement, checked, source, signal, hiddenPaths, planningMsMax } = query;
  const isLimitedByItself =
    (checked.facts.rowLimit ?? Number.POSITIVE_INFINITY) <= (statement.rowsMax ?? Number.POSITIVE_INFINITY);
  const rowsMax = isLimitedByItself ? undefined : statement.rowsMax;
  const wrapped = isUnmodified && rowsMax === undefined ? undefined : wrapSource(source, selected.join(', '), rowsMax);
  const { isRepeatable, parameterTypes } = checked;
  const options = { isRepeatable, planningMsMax, parameterTypes };
  try {
    using wrapping = wrapped === undefined ? undefined : await preparedAround(session.prepare(wrapped.sql, options));
    const { statement: prepared } = wrapping ?? checked.prepared;
    source.bind(prepared);
    const result = await prepared.run();
    signal.throwIfAborted();
    return result;
  } catch (thrown) {
    if (thrown instanceof AbandonedWork) throw thrown;
    signal.throwIfAborted();
    throw duckDbProblem(thrown, { sql: statement.sql, offsetBytes: wrapped?.offsetBytes ?? 0, hiddenPaths });
  }
}

/**
 * A result of any size. We add a BOOLEAN column after the caller's columns and a last row, the only one where it is true: no caller can
 * name or set it. A result that ends without it was cut, whatever the library reports.
 */
async function* streamedResult(session: Session, typed: TypedQuery): AsyncGenerator<ResultEvent, void> {
  const { query, selected } = typed;
  const { statement, checked, source, signal, hiddenPaths, planningMsMax } = query;
  const wrapped = wrapSource(source, [...selected, 'false'].join(', '), statement.rowsMax);
  try {
    const sql = `${wrapped.sql} UNION ALL SELECT ${[...selected.map(() => 'NULL'), 'true'].join(', ')}`;
    const { isRepeatable, parameterTypes } = checked;
    using prepared = await preparedAround(session.prepare(sql, { isRepeatable, planningMsMax, parameterTypes }));
    source.bind(prepared.statement);
    const result = await prepared.statement.stream();
    signal.throwIfAborted();
    const end = yield* readChunks(result, typed);
    signal.throwIfAborted();
    if (end === undefined) throw await lostError(session.connection, query, selected);
    yield { kind: 'end', limited: end.limited };
  } catch (thrown) {
    if (thrown instanceof AbandonedWork) throw thrown;
    signal.throwIfAborted();
    throw duckDbProblem(thrown, problemContext(query, wrapped, hiddenPaths));
  }
}

const problemContext = (
  { statement }: RenderedQuery,
  { offsetBytes }: WrappedSource,
  hiddenPaths: readonly string[],
) => ({
  sql: statement.sql,
  offsetBytes,
  hiddenPaths,
});

/** Returns undefined if the result ended without its mark. The next chunk is computed while the current one is passed on. */
async function* readChunks(
  result: DuckDBResult,
  typed: TypedQuery,
): AsyncGenerator<RowsEvent | StoredRowsEvent, { readonly limited: boolean } | undefined> {
  const { query, selected } = typed;
  const rowsMax = query.statement.rowsMax ?? Number.POSITIVE_INFINITY;
  let sent = 0;
  let isMarked = false;
  let isLimited = false;
  let isOver = false;
  let next = result.fetchChunk();
  try {
    for (let chunk = await next; chunk !== null && chunk.rowCount > 0; chunk = await next) {
      if (isMarked) return undefined; // rows after the mark: the order was not kept, so the mark proves nothing
      isMarked = hasEndMark(chunk, selected.length);
      const present = chunk.rowCount - (isMarked ? 1 : 0);
      const wanted = Math.min(present, rowsMax - sent);
      isLimited ||= wanted < present;
      const isLarge = load(typed, chunk, wanted) > CHUNK_BYTES_AHEAD_MAX;
      if (!isLarge) next = fetchAhead(result);
      yield* write(typed);
      sent += wanted;
      if (isLarge) {
        chunk.reset(); // frees its strings now; a garbage collector does not see them and would free them later
        next = fetchAhead(result);
      }
    }
    isOver = true;
    return isMarked ? { limited: isLimited } : undefined;
  } finally {
    if (!isOver) query.interruption.begin();
    await next.catch(() => undefined); // the connection must not be closed during a fetch
  }
}

function fetchAhead(result: DuckDBResult): Promise<DuckDBDataChunk | null> {
  const next = result.fetchChunk();
  next.catch(() => undefined); // awaited in the next round; until then nothing handles it
  return next;
}
