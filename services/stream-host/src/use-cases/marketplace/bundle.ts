import type { Column, QueryParameter } from '@sluice/contract';
import type { Format, RowsChunk } from '@sluice/encoders';
import type { SentEvent } from '@sluice/engine';
import type { QueryJob, WorkerLease } from '@sluice/query-worker';

/** One statement of a file with several results. */
export interface BundledStatement {
  readonly name: string;
  readonly sql: string;
  /** Values of its parameters. Default: none. */
  readonly parameters?: readonly QueryParameter[] | undefined;
  /** Description of the statement in the file. */
  readonly about: string;
}

/** A result whose first rows, or end, have arrived. */
export interface OpenResult extends BundledStatement {
  readonly columns: readonly Column[];
  /** Must be read to the end before the next result is requested. Throws when the result was cut. */
  readonly rows: AsyncIterable<RowsChunk>;
}

/** Writes several results to one file. Its events carry pieces of the file instead of rows; the format returns the last bytes. */
export interface Bundle {
  readonly statements: readonly BundledStatement[];
  readonly file: BundleFile;
  readonly format: Format;
  runner(lease: WorkerLease): WorkerLease['run'];
}

interface BundleFile {
  readonly mediaType: string;
  /** Extension without the dot. */
  readonly extension: string;
}

interface BundleParts {
  readonly file: BundleFile;
  readonly statements: readonly BundledStatement[];
  /** Writes all bytes but the last ones. */
  readonly pack: (results: AsyncIterable<OpenResult>, queryId: string, started: Date) => AsyncIterable<Uint8Array>;
  readonly end: () => Uint8Array;
  /** Throws for columns that the file cannot hold. */
  readonly check: (columns: readonly Column[]) => void;
}

/** Returns the time of the run that a file shows. The file of a kept result is the same whenever it is made. */
const startOf = ({ keep, stored }: QueryJob): Date => new Date((stored ?? keep)?.ranAtMs ?? Date.now());

/** Runs the statements one after the other on one worker. When one fails, the file is cut, because it cannot report a failure. */
export function createBundle(parts: BundleParts): Bundle {
  return {
    statements: parts.statements,
    file: parts.file,
    format: {
      head: () => '',
      row: () => ({ separator: '', parts: [], style: { notation: 'csv', bigNumbers: 'number', formulas: 'keep' } }),
      complete: () => parts.end(),
      failed: () => undefined,
    },
    runner:
      (lease) =>
      (job, ...options) =>
        bundleEvents(parts, job, ({ sql, parameters }) =>
          lease.run({ ...job, statement: { ...job.statement, sql, parameters } }, ...options),
        ),
  };
}

type RunStatement = (statement: BundledStatement) => AsyncIterable<SentEvent>;

/** Yields the columns, then pieces of the file, each with the number of rows read since the previous one, then the end. */
async function* bundleEvents(parts: BundleParts, job: QueryJob, run: RunStatement): AsyncGenerator<SentEvent> {
  const read = { rows: 0 };
  const results = openResults(parts, run, read);
  try {
    // A failure of the first statement is thrown before the first byte.
    const first = await results.next();
    if (first.done === true) throw new Error('a bundle needs at least one statement');
    yield { kind: 'columns', columns: first.value.columns };
    let reported = 0;
    const { queryId } = job.statement;
    for await (const bytes of parts.pack(startingWith(first.value, results), queryId, startOf(job))) {
      yield { kind: 'rows', rows: read.rows - reported, bytes };
      reported = read.rows;
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
    const events = run(statement)[Symbol.asyncIterator]();
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

async function readColumns(events: AsyncIterator<SentEvent>): Promise<readonly Column[]> {
  const event = await nextEvent(events);
  if (event.kind !== 'columns') throw new Error(`the first event of a result is ${event.kind} instead of columns`);
  return event.columns;
}

async function* rowsOf(
  first: SentEvent,
  events: AsyncIterator<SentEvent>,
  read: { rows: number },
): AsyncGenerator<RowsChunk> {
  for (let event = first; event.kind !== 'end'; event = await nextEvent(events)) {
    if (event.kind !== 'rows') continue;
    read.rows += event.rows;
    yield event;
  }
}

async function nextEvent(events: AsyncIterator<SentEvent>): Promise<SentEvent> {
  const step = await events.next();
  if (step.done === true) throw new Error('a result ended without an end event');
  return step.value;
}
