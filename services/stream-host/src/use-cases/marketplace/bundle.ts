import type { Column } from '@sluice/contract';
import type { Format, RowsChunk } from '@sluice/encoders';
import type { ResultEvent } from '@sluice/engine';
import type { QueryJob, WorkerLease } from '@sluice/query-worker';

/** One statement whose result goes into a file with others. */
export interface BundledStatement {
  readonly name: string;
  readonly sql: string;
  /** What the file says of it. */
  readonly about: string;
}

/** A result that has begun: its first rows, or its end, are there. */
export interface OpenResult extends BundledStatement {
  readonly columns: readonly Column[];
  /** To be read to its end before the next result is asked for. Throws when the result was cut. */
  readonly rows: AsyncIterable<RowsChunk>;
}

/** Makes one file of results. Its bytes come instead of rows, and its last ones are what its format says when all is complete. */
export interface Bundle {
  readonly file: BundleFile;
  readonly format: Format;
  runner(lease: WorkerLease): WorkerLease['run'];
}

export interface BundleFile {
  readonly mediaType: string;
  /** Without the dot. */
  readonly extension: string;
}

export interface BundleParts {
  readonly file: BundleFile;
  readonly statements: readonly BundledStatement[];
  /** All bytes but the last ones. */
  readonly pack: (results: AsyncIterable<OpenResult>, queryId: string) => AsyncIterable<Uint8Array>;
  readonly end: () => Uint8Array;
  /** Throws for columns that the file cannot hold. */
  readonly check: (columns: readonly Column[]) => void;
}

/** The statements run one after the other on one worker. A file cannot say that one of them failed, so then it is cut. */
export function createBundle(parts: BundleParts): Bundle {
  return {
    file: parts.file,
    format: {
      head: () => '',
      row: () => ({ separator: '', parts: [], style: { notation: 'csv', bigNumbers: 'number', formulas: 'keep' } }),
      complete: () => parts.end(),
      failed: () => undefined,
    },
    runner: (lease) => (job, signal, onProgress) =>
      packed(parts, job, (sql) => lease.run({ ...job, statement: { ...job.statement, sql } }, signal, onProgress)),
  };
}

type RunStatement = (sql: string) => AsyncIterable<ResultEvent>;

/** Columns, then pieces of the file, each with the rows that were read since the one before, then the end. */
async function* packed(parts: BundleParts, job: QueryJob, run: RunStatement): AsyncGenerator<ResultEvent> {
  const read = { rows: 0 };
  const results = openResults(parts, run, read);
  try {
    // Whatever the first statement fails with comes before the first byte.
    const first = await results.next();
    if (first.done === true) throw new Error('a file is made of one statement at least');
    yield { kind: 'columns', columns: first.value.columns };
    let told = 0;
    for await (const bytes of parts.pack(startingWith(first.value, results), job.statement.queryId)) {
      yield { kind: 'rows', rows: read.rows - told, bytes };
      told = read.rows;
    }
    yield { kind: 'end', limited: false };
  } finally {
    await results.return(undefined);
  }
}

async function* startingWith<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* rest;
}

async function* openResults(
  { statements, check }: BundleParts,
  run: RunStatement,
  read: { rows: number },
): AsyncGenerator<OpenResult> {
  for (const statement of statements) {
    const events = run(statement.sql)[Symbol.asyncIterator]();
    try {
      const columns = await readColumns(events);
      check(columns);
      const first = await nextEvent(events);
      yield { ...statement, columns, rows: rowsOf(first, events, read) };
    } finally {
      await events.return?.();
    }
  }
}

async function readColumns(events: AsyncIterator<ResultEvent>): Promise<readonly Column[]> {
  const event = await nextEvent(events);
  if (event.kind !== 'columns') throw new Error(`a result began with its ${event.kind}`);
  return event.columns;
}

async function* rowsOf(
  first: ResultEvent,
  events: AsyncIterator<ResultEvent>,
  read: { rows: number },
): AsyncGenerator<RowsChunk> {
  for (let event = first; event.kind !== 'end'; event = await nextEvent(events)) {
    if (event.kind !== 'rows') continue;
    read.rows += event.rows;
    yield event;
  }
}

async function nextEvent(events: AsyncIterator<ResultEvent>): Promise<ResultEvent> {
  const step = await events.next();
  if (step.done === true) throw new Error('a result ended without its end');
  return step.value;
}
