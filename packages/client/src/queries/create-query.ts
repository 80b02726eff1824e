import type { Column } from '../contract-types.ts';
import { requireAttempts } from '../http/resume.ts';
import { cancelOnServer } from './cancel-on-server.ts';
import type { Row } from './parse-events.ts';
import type { Query, QueryOptions, QuerySummary, TextQueryOptions } from './query.ts';
import { isFinal, QueryProgression, type QueryState } from './query-state.ts';
import { malformed } from './read-blocks.ts';
import {
  type AnyQueryOptions,
  eventsRequest,
  type QueryRun,
  type RunContext,
  startRun,
  statementRequest,
} from './run-query.ts';
import type { RowText } from './split-row.ts';

/** Origin of the rows of a query: its statement, or the result of a query that has run or runs. */
type RowSource =
  | { readonly sql: string }
  | { readonly resultId: string /** Rows that are left out. */; readonly after: number };

/** Thrown to readers of a query that `cancel` ended. */
const cancelled = (): DOMException => new DOMException('The query was cancelled by its client.', 'AbortError');

/** A query, or the result of another one. `R` follows from its options. */
class StreamedQuery<R extends Row | RowText> implements Query<R> {
  readonly #context: RunContext;
  readonly #source: RowSource;
  readonly #options: AnyQueryOptions;
  readonly #abort = new AbortController();
  readonly #progression = new QueryProgression();
  #run: Promise<QueryRun> | undefined;
  #columns: Promise<readonly Column[]> | undefined;
  #queryId: string | undefined;
  #isRead = false;
  #summary: QuerySummary | undefined;

  constructor(context: RunContext, source: RowSource, options: AnyQueryOptions) {
    requireAttempts(options);
    this.#context = context;
    this.#source = source;
    this.#options = options;
  }

  get id(): Promise<string> {
    return this.#start().then(({ queryId }) => queryId);
  }

  get columns(): Promise<readonly Column[]> {
    this.#columns ??= this.#readColumns();
    return this.#columns;
  }

  get state(): QueryState {
    return this.#progression.state;
  }

  get summary(): QuerySummary | undefined {
    return this.#summary;
  }

  async *batches(): AsyncGenerator<R[], void, undefined> {
    if (this.#isRead) throw new TypeError('The rows of a query can be read once. Run the query again.');
    this.#isRead = true;
    try {
      await this.columns;
      const { parts } = await this.#start();
      for (;;) {
        const { done, value } = await parts.next();
        if (done) {
          this.#summary = value;
          return;
        }
        if (Array.isArray(value)) yield value as R[];
      }
    } finally {
      // The loop was left, or the signal aborted. After a cut, the host stops the query by itself.
      await this.cancel();
      const run = await this.#run?.catch(() => undefined);
      await run?.parts.return(undefined as never).catch(() => undefined);
    }
  }

  [Symbol.asyncIterator](): AsyncIterator<R, void, undefined> {
    return iterateRows(this.batches());
  }

  async cancel(): Promise<void> {
    if (isFinal(this.state)) return;
    this.#progression.apply('cancel');
    this.#abort.abort(cancelled());
    // The query of a result that is only followed goes on.
    if (this.#queryId !== undefined && 'sql' in this.#source) await cancelOnServer(this.#context.send, this.#queryId);
  }

  #start(): Promise<QueryRun> {
    this.#run ??= this.#send();
    return this.#run;
  }

  async #send(): Promise<QueryRun> {
    const options = this.#options;
    const signals = options.signal === undefined ? [this.#abort.signal] : [options.signal, this.#abort.signal];
    const signal = AbortSignal.any(signals);
    const progression = this.#progression;
    progression.apply('send');
    try {
      const run = await startRun(this.#context, { ...this.#origin(), options, progression, signal });
      progression.apply('headers');
      this.#queryId = run.queryId;
      return run;
    } catch (error) {
      progression.apply(signal.aborted ? 'cancel' : 'rejected');
      throw error;
    }
  }

  #origin() {
    const [source, options] = [this.#source, this.#options];
    if ('sql' in source)
      return { request: statementRequest(source.sql, options), received: 0, isKept: options.keep !== undefined };
    const { resultId, after } = source;
    return { request: eventsRequest(resultId, after, options), received: after, isKept: true };
  }

  async #readColumns(): Promise<readonly Column[]> {
    const { parts, queryId } = await this.#start();
    try {
      const { value } = await parts.next();
      if (value !== undefined && 'columns' in value) return value.columns;
      throw malformed('The result does not begin with its columns', { queryId });
    } catch (error) {
      await this.cancel();
      throw error;
    }
  }
}

/** Iterates over the rows of batches. Not a generator, which would cost three turns of the microtask queue per row. */
function iterateRows<R>(batches: AsyncGenerator<R[], void, undefined>): AsyncIterator<R, void, undefined> {
  let batch: readonly R[] = [];
  let index = 0;
  const advance = async (): Promise<IteratorResult<R, void>> => {
    for (;;) {
      const { done, value } = await batches.next();
      if (done) return { done: true, value: undefined };
      const [first] = value;
      if (first === undefined) continue;
      batch = value;
      index = 1;
      return { done: false, value: first };
    }
  };
  return {
    next: () => {
      const row = batch[index];
      if (row === undefined) return advance();
      index += 1;
      return Promise.resolve({ done: false, value: row });
    },
    return: async () => {
      batch = [];
      await batches.return();
      return { done: true, value: undefined };
    },
  };
}

/** Creates a query. Nothing is sent before its columns, id or rows are asked for. */
export function createQuery(context: RunContext, source: RowSource, options: TextQueryOptions): Query<RowText>;
export function createQuery(context: RunContext, source: RowSource, options?: QueryOptions): Query;
export function createQuery(
  context: RunContext,
  source: RowSource,
  options: AnyQueryOptions = {},
): Query | Query<RowText> {
  // The overloads tie the rows to the options.
  return new StreamedQuery<Row | RowText>(context, source, options) as Query | Query<RowText>;
}
