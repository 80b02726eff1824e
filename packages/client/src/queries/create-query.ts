import type { Column } from '../contract-types.ts';
import type { SendRequest } from '../http/send-request.ts';
import { cancelOnServer } from './cancel-on-server.ts';
import type { Row } from './parse-events.ts';
import type { Query, QueryOptions, QuerySummary, TextQueryOptions } from './query.ts';
import { isFinal, QueryProgression, type QueryState } from './query-state.ts';
import { malformed } from './read-blocks.ts';
import { type AnyQueryOptions, type QueryRun, startQuery } from './run-query.ts';
import type { RowText } from './split-row.ts';

interface QueryContext {
  readonly send: SendRequest;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
}

/** Thrown to readers of a query that `cancel` ended. */
const cancelled = (): DOMException => new DOMException('The query was cancelled by its client.', 'AbortError');

/** A query. `R` follows from its options. */
class StreamedQuery<R extends Row | RowText> implements Query<R> {
  readonly #context: QueryContext;
  readonly #sql: string;
  readonly #options: AnyQueryOptions;
  readonly #abort = new AbortController();
  readonly #progression = new QueryProgression();
  #run: Promise<QueryRun> | undefined;
  #columns: Promise<readonly Column[]> | undefined;
  #queryId: string | undefined;
  #isRead = false;
  #summary: QuerySummary | undefined;

  constructor(context: QueryContext, sql: string, options: AnyQueryOptions) {
    this.#context = context;
    this.#sql = sql;
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
    if (this.#queryId !== undefined) await cancelOnServer(this.#context.send, this.#queryId);
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
      const run = await startQuery(this.#context, this.#sql, { options, progression, signal });
      progression.apply('headers');
      this.#queryId = run.queryId;
      return run;
    } catch (error) {
      progression.apply(signal.aborted ? 'cancel' : 'rejected');
      throw error;
    }
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
export function createQuery(context: QueryContext, sql: string, options: TextQueryOptions): Query<RowText>;
export function createQuery(context: QueryContext, sql: string, options?: QueryOptions): Query;
export function createQuery(context: QueryContext, sql: string, options: AnyQueryOptions = {}): Query | Query<RowText> {
  // The overloads tie the rows to the options.
  return new StreamedQuery<Row | RowText>(context, sql, options) as Query | Query<RowText>;
}
