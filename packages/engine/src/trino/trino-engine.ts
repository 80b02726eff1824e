import type { OutgoingHttpHeaders } from 'node:http';
import type { Column } from '@sluice/contract';
import { ProblemError } from '@sluice/contract/problems';
import { createFormat } from '@sluice/encoders';
import { CATALOG_FORMAT, jsonRows } from '../catalog/json-rows.ts';
import type { DescribeOptions, Engine, RenderRows, ResultEvent, Statement } from '../engine.ts';
import { WriterMemory } from '../row-writer-module/writer-memory.ts';
import { distinctTables, type TableName } from '../table-name.ts';
import { describableStatement, tablesStatement, withoutRows } from './guard/describable-statement.ts';
import { checkStatement } from './guard/read-only-guard.ts';
import { rewrittenParts } from './guard/rewritten-statement.ts';
import { tablesOfIoPlan } from './io-plan.ts';
import { bindStatement } from './parameters/bound-statement.ts';
import type { TrinoStats } from './protocol/error-fields.ts';
import { HttpClient } from './protocol/http-client.ts';
import { checkedOrigin, TRINO_LIMITS, type TrinoLimits, type TrinoProfile, tlsOf } from './protocol/profile.ts';
import { requestTables } from './protocol/query-info.ts';
import { statementHeaders } from './protocol/request-headers.ts';
import { withRetries } from './protocol/retry.ts';
import { SegmentFetcher } from './protocol/segment-fetcher.ts';
import { checkServer } from './protocol/server-check.ts';
import { StatementSession } from './protocol/statement-session.ts';
import { transportProblem } from './protocol/transport-failure.ts';
import { readResult } from './result-reader.ts';
import { sessionNamespace } from './session-namespace.ts';
import { TablesReport } from './tables-report.ts';

/** Progress of a statement in Trino's last page. */
export interface TrinoProgress {
  readonly queryId: string;
  /** Trino's own name: QUEUED, PLANNING, RUNNING, FINISHING, ... */
  readonly state: string;
  readonly splitsDone: number;
  readonly splitsTotal: number;
}

interface TrinoEngineOptions {
  /** Returns the memory that rows are copied to; by default each event gets its own. */
  readonly allocate?: (bytes: number) => Uint8Array;
  readonly onProgress?: (progress: TrinoProgress) => void;
  /** Receives the tables and views that a running statement reads, at most once, before its end. */
  readonly onTables?: (tables: readonly TableName[]) => void;
  /** Receives, a few times at most, the address at which another process can cancel the running statement (`cancelAbandonedStatement`). */
  readonly onCancelUrl?: (url: string) => void;
}

/** Maximum time for which a reader waits for a cancel, which continues without it. */
const CANCEL_WAIT_MS = 500;
/** A result does not wait longer for the tables of a query that Trino has to plan once more. */
const LEFT_OUT_TIMEOUT_MS = 10_000;
const INFO_BYTES_MAX = 64 * 1024;

/**
 * Trino with the common engine contract. Statements run concurrently, each in its own session, and leave nothing behind.
 * `rowsMax` is counted here: the statement is stopped at the first row too many. Wrapped in a LIMIT it would lose its order,
 * which Trino does not keep from a subquery, and could not be SHOW or EXPLAIN.
 */
export class TrinoEngine implements Engine {
  /** No state of a statement stays in this process. */
  readonly mustReplace = false;
  readonly #profile: TrinoProfile;
  readonly #options: TrinoEngineOptions;
  readonly #origin: string;
  readonly #limits: TrinoLimits;
  readonly #http: HttpClient;
  readonly #cancelling = new Set<Promise<void>>();
  #memory: WriterMemory | undefined;
  #checked: Promise<void> | undefined;

  /** Throws an Error if the profile is invalid. The version of Trino is checked by the first statement. */
  constructor(profile: TrinoProfile, options: TrinoEngineOptions = {}) {
    this.#profile = profile;
    this.#options = options;
    this.#origin = checkedOrigin(profile);
    this.#limits = { ...TRINO_LIMITS, ...profile.limits };
    this.#http = new HttpClient(tlsOf(profile));
  }

  run(statement: Statement, render: RenderRows, signal: AbortSignal): AsyncIterable<ResultEvent> {
    return this.#run({ statement, render, signal, onTables: this.#options.onTables });
  }

  async *#run({ statement, render, signal, onTables, purpose }: Run): AsyncIterable<ResultEvent> {
    signal.throwIfAborted();
    const bound = bindStatement(statement.sql, statement.parameters);
    const checked = checkStatement(bound.text, this.#profile);
    const sql = bound.executable(checked);
    const headers = statementHeaders(this.#profile, statement);
    try {
      await this.#checkServer(signal);
      const connection = { http: this.#http, origin: this.#origin, headers, limits: this.#limits };
      const { onCancelUrl, onProgress }: TrinoEngineOptions = purpose === 'left out' ? {} : this.#options;
      const session = new StatementSession({ ...connection, ...(onCancelUrl === undefined ? {} : { onCancelUrl }) });
      const stop = new AbortController();
      const running = AbortSignal.any([signal, stop.signal]);
      const report =
        onTables &&
        new TablesReport({
          onTables,
          request: () => this.#tablesOf(session, headers, running),
          findLeftOut: () => this.#tablesLeftOut(statement, { checked, text: bound.text }, running),
        });
      const onAbort = (): void => void this.#cancel(session, signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        signal.throwIfAborted();
        const fetcher = new SegmentFetcher({
          ...connection,
          segmentOrigins: this.#profile.segmentOrigins ?? [],
          signal: running,
        });
        const events = readResult(session.pages(sql), {
          render,
          fetcher,
          rowsMax: statement.rowsMax,
          keepsRows: statement.keepsRows,
          allocate: this.#options.allocate ?? Buffer.allocUnsafeSlow,
          openMemory: () => this.#openMemory(),
          onStats: (stats) => onProgress?.(progressOf(statement.queryId, stats)),
        });
        for await (const event of events) {
          signal.throwIfAborted(); // it may have aborted between two reads
          if (event.kind === 'columns') report?.planned();
          if (event.kind === 'end' || purpose !== undefined) await report?.ended();
          yield event;
        }
      } catch (thrown) {
        if (!signal.aborted && isFromTrino(thrown)) await report?.ended();
        throw thrown;
      } finally {
        signal.removeEventListener('abort', onAbort);
        stop.abort(STOPPED);
        await withinWaitLimit(this.#cancel(session, STOPPED));
      }
    } catch (thrown) {
      signal.throwIfAborted(); // whatever a cut connection failed with, the caller's reason counts
      throw bound.withCallerLocation(transportProblem(thrown));
    }
  }

  async describe(
    statement: Statement,
    signal: AbortSignal,
    { reportsTables = false }: DescribeOptions = {},
  ): Promise<readonly Column[]> {
    const { sql, withCallerLocation } = describableStatement(checkStatement(statement.sql, this.#profile));
    const onTables = reportsTables ? this.#options.onTables : undefined;
    try {
      return await this.#columnsOf({ statement: { ...statement, sql }, signal, onTables, purpose: 'columns' });
    } catch (thrown) {
      throw withCallerLocation(thrown);
    }
  }

  async tables(statement: Statement, signal: AbortSignal): Promise<readonly TableName[]> {
    const sql = tablesStatement(checkStatement(statement.sql, this.#profile));
    if (sql === undefined) return [];
    const format = createFormat(CATALOG_FORMAT);
    const render: RenderRows = (columns) => format.row(columns);
    const events = this.#run({ statement: { ...statement, sql, rowsMax: undefined }, render, signal });
    const tables: TableName[] = [];
    for await (const rows of jsonRows(events)) {
      for (const [plan] of rows) tables.push(...tablesOfIoPlan(plan ?? '{}'));
    }
    return distinctTables(tables);
  }

  /** Runs a statement up to its columns, and the report of its tables. */
  async #columnsOf({ statement, ...run }: Omit<Run, 'render'>): Promise<readonly Column[]> {
    const limited = { ...run, statement: { ...statement, rowsMax: undefined }, render: NO_ROWS };
    for await (const event of this.#run(limited)) {
      if (event.kind === 'columns') return event.columns;
    }
    return [];
  }

  /** Checks that Trino responds and is new enough. Throws `engine_unavailable` with a message about what is wrong. */
  async check(): Promise<void> {
    try {
      await this.#requestServerInfo();
    } catch (thrown) {
      throw transportProblem(thrown);
    }
  }

  /** Opened for the first rows only, because most engines of a host's checks never read any. */
  #openMemory(): WriterMemory {
    this.#memory ??= WriterMemory.open(0);
    return this.#memory;
  }

  /** Asks once; a failure is not cached. */
  async #checkServer(signal: AbortSignal): Promise<void> {
    this.#checked ??= this.#requestServerInfo();
    try {
      await unlessAborted(this.#checked, signal);
    } catch (failure) {
      if (!signal.aborted) this.#checked = undefined;
      throw failure;
    }
  }

  async #requestServerInfo(): Promise<void> {
    const request = {
      method: 'GET',
      url: `${this.#origin}/v1/info`,
      headers: { 'user-agent': 'sluice' },
      bytesMax: INFO_BYTES_MAX,
      timeoutMs: this.#limits.answerTimeoutMs,
    } as const;
    checkServer(await withRetries(() => this.#http.send(request), { retryForMs: this.#limits.retryForMs }));
  }

  /** Requests the tables of a session's statement, whose id Trino must have sent. */
  async #tablesOf(
    { queryId }: StatementSession,
    headers: OutgoingHttpHeaders,
    signal: AbortSignal,
  ): Promise<readonly TableName[]> {
    if (queryId === undefined) throw new Error('Trino has not accepted the statement.');
    const { answerTimeoutMs } = this.#limits;
    return await requestTables({ http: this.#http, origin: this.#origin, headers, queryId, answerTimeoutMs, signal });
  }

  /**
   * Returns the tables of a planned statement that its account leaves out: the one that DESCRIBE or SHOW names, and those of the query that EXPLAIN
   * explains. Trino plans that query once more, without rows, for the same user. Throws when that fails or takes too long.
   */
  async #tablesLeftOut(
    statement: Statement,
    { checked, text }: { readonly checked: string; readonly text: string },
    signal: AbortSignal,
  ): Promise<readonly TableName[]> {
    const { table, query } = rewrittenParts(checked, sessionNamespace(this.#profile, statement));
    if (query === undefined) return table === undefined ? [] : [table];
    // The name of a parameter at the end is longer than its mark, and the guard drops the blanks that take its place.
    const [rest = ''] = /^ */.exec(text.slice(query.end)) ?? [];
    const sql = withoutRows(statement.sql.slice(query.start, query.end + rest.length).trimEnd());
    const reports: (readonly TableName[])[] = [];
    if (sql !== undefined) {
      await this.#columnsOf({
        statement: { ...statement, sql },
        signal: AbortSignal.any([signal, AbortSignal.timeout(LEFT_OUT_TIMEOUT_MS)]),
        onTables: (tables) => void reports.push(tables),
        purpose: 'left out',
      });
    }
    if (reports.length === 0) throw new Error('Trino does not tell the tables of the query.');
    return reports.flat();
  }

  /** Cancels a session. The engine's disposal waits for it, even if the reader does not. */
  #cancel(session: StatementSession, reason: unknown): Promise<void> {
    const cancelled = session.cancel(reason);
    this.#cancelling.add(cancelled);
    void cancelled.finally(() => this.#cancelling.delete(cancelled));
    return cancelled;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#cancelling);
    this.#http[Symbol.dispose]();
  }
}

/** Returns whether Trino has reported a failure of the statement, and can be asked about it. */
const isFromTrino = (thrown: unknown): boolean =>
  thrown instanceof ProblemError && thrown.code !== 'engine_unavailable';

interface Run {
  readonly statement: Statement;
  readonly render: RenderRows;
  readonly signal: AbortSignal;
  readonly onTables?: ((tables: readonly TableName[]) => void) | undefined;
  /**
   * Run up to the columns only: for a description, or for the tables that the account of another statement leaves out, whose progress is not reported.
   * Absent: run to the end.
   */
  readonly purpose?: 'columns' | 'left out';
}

/** Template of a statement that is only described. */
const NO_ROWS: RenderRows = () => ({
  separator: '',
  parts: [],
  style: { notation: 'json', bigNumbers: 'number', formulas: 'keep' },
});

const STOPPED = new ProblemError('query_cancelled', 'The query was stopped.');

const progressOf = (queryId: string, stats: TrinoStats): TrinoProgress => ({
  queryId,
  state: stats.state ?? 'UNKNOWN',
  splitsDone: stats.completedSplits ?? 0,
  splitsTotal: stats.totalSplits ?? 0,
});

/** Waits for a promise for a limited time. */
async function withinWaitLimit(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CANCEL_WAIT_MS);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
