import { setTimeout as wait } from 'node:timers/promises';
import { asProblem, type Caller, type Column, ProblemError, type Receipt } from '@sluice/contract';
import type { FoundQuery } from '@sluice/store/queries';
import { presentError, type QueryResults, type StatementFailure, type StatementProgress } from '@sluice/trino-protocol';
import type { FoundRows, OpenResult } from '../../door/open-result.ts';
import type { OpenResults } from '../../door/open-results.ts';
import { noSuchPage } from '../../door/page-marks.ts';
import type { PagePosition } from '../../door/page-position.ts';
import type { PreparedAnswers, WrittenAnswer } from '../../door/prepared-answers.ts';
import { findLiveCounts, type LiveCountsDependencies } from '../../queries/live-counts.ts';
import { isOwn } from '../queries/find-receipt.ts';
import type { FindResultDependencies } from '../queries/find-result.ts';
import { openKeptResult } from '../queries/open-kept-result.ts';
import { pageOfStore } from './page-of-store.ts';
import { rowsInMilliseconds } from './rows-in-milliseconds.ts';

interface ReadPageDependencies extends FindResultDependencies, LiveCountsDependencies {
  readonly openResults: OpenResults;
  readonly preparedAnswers: PreparedAnswers;
}

interface PageInput {
  readonly id: string;
  readonly position: PagePosition;
  readonly signal: AbortSignal;
}

/** A page, without the addresses that clients see. */
export interface FoundPage extends Pick<QueryResults, 'columns' | 'error' | 'updateType'> {
  readonly rows: readonly Uint8Array[];
  /** Rows before the next page. Undefined: this is the last one. */
  readonly nextRow: number | undefined;
  readonly progress: StatementProgress;
  /** Headers by which the client changes its session. */
  readonly headers?: WrittenAnswer['headers'];
}

/**
 * Reads a page of a statement of the caller, from the memory of this host, from the store, or as an empty page while another host runs the
 * statement. Waits at most a second for rows. The failure of a statement is in its page. Throws `not_found` for another account's, `gone` for
 * rows that are not kept, `service_unavailable` for rows in the memory of another host, and `storage_unavailable`.
 */
export type ReadPage = (caller: Caller, input: PageInput) => Promise<FoundPage>;

/** Longest wait for the rows of a page. */
const WAIT_MS = 1_000;
/** Interval at which the database is asked for the end of a query of another host. */
const FIND_MS = 200;

export function createReadPage(dependencies: ReadPageDependencies): ReadPage {
  return async (caller, input) => {
    const { id, position } = input;
    const page = position.isPrepared
      ? preparedPage(await dependencies.preparedAnswers.find(id))
      : await rowsPage(dependencies, caller, input);
    return position.capabilities.parametricDatetime ? page : await rowsInMilliseconds(page);
  };
}

async function rowsPage(dependencies: ReadPageDependencies, caller: Caller, input: PageInput): Promise<FoundPage> {
  caller.leaveShare?.();
  const result = dependencies.openResults.find(input.id, caller.principal);
  if (result === undefined) return await pageElsewhere(dependencies, caller, input);
  return await ownPage(dependencies, caller, { ...input, result });
}

/** Says that the client of a statement still wants its pages. */
export type WantPages = (caller: Caller, id: string) => Promise<void>;

export function createWantPages({ openResults, keptResults }: ReadPageDependencies): WantPages {
  return async (caller, id) => {
    if (openResults.find(id, caller.principal) === undefined) await keptResults?.ask(caller, id);
  };
}

const DONE: StatementProgress = {
  ...{ state: 'FINISHED', rows: 0, bytes: 0, elapsedMs: 0 },
  ...{ splitsDone: null, splitsTotal: null },
};

function preparedPage(answer: WrittenAnswer | 'in memory' | undefined): FoundPage {
  if (answer === undefined) throw gone();
  if (answer === 'in memory') throw onOtherHost();
  const { columns, rows, rowCount, updateType, headers, error } = answer;
  const state = error === undefined ? 'FINISHED' : 'FAILED';
  const progress: StatementProgress = { ...DONE, state, rows: rowCount, bytes: rows.byteLength };
  return {
    columns: error === undefined ? columns : undefined,
    rows: rowCount === 0 ? [] : [rows],
    nextRow: undefined,
    progress,
    updateType,
    error,
    ...(headers === undefined ? {} : { headers }),
  };
}

/** Returns a page of a result of this host, from its memory or the store. Throws `gone` for rows that neither of them has. */
async function ownPage(
  dependencies: ReadPageDependencies,
  caller: Caller,
  { id, position, signal, result }: PageInput & { readonly result: OpenResult },
): Promise<FoundPage> {
  const found = await result.page(position.rows, { waitMs: WAIT_MS, signal });
  const { columns, progress, elapsedMs } = result;
  const { rows, bytes, splitsDone, splitsTotal } = progress;
  const counts = { rows, bytes, splitsDone, splitsTotal, elapsedMs };
  if (found.kind === 'elsewhere') {
    const input = { id, position, progress: { ...counts, state: 'FINISHED' } as const };
    const stored = result.isKept ? await storedPage(dependencies, caller, input) : undefined;
    if (stored === undefined) throw gone();
    return stored;
  }
  return {
    columns,
    ...partsOf(found, position.rows),
    progress: { ...counts, state: stateOf(found, columns) },
  };
}

function stateOf(found: FoundRows, columns: readonly Column[] | undefined): StatementProgress['state'] {
  if (found.kind === 'failed') return 'FAILED';
  if (found.kind === 'end' || (found.kind === 'rows' && found.isLast)) return 'FINISHED';
  return columns === undefined ? 'PLANNING' : 'RUNNING';
}

function partsOf(
  found: Exclude<FoundRows, { kind: 'elsewhere' }>,
  from: number,
): Pick<FoundPage, 'rows' | 'nextRow' | 'error'> {
  switch (found.kind) {
    case 'rows':
      return { rows: found.pieces, nextRow: found.isLast ? undefined : found.endRow };
    case 'waiting':
      return { rows: [], nextRow: from };
    case 'end':
      return { rows: [], nextRow: undefined };
    case 'failed':
      return { rows: [], nextRow: undefined, error: presentError(failureOf(found.problem)) };
  }
}

const failureOf = ({ streamCode: code, message, location, engineError }: ProblemError): StatementFailure => ({
  code,
  message,
  location,
  engineError,
});

/** Returns a page of a query that this host does not run. */
async function pageElsewhere(dependencies: ReadPageDependencies, caller: Caller, input: PageInput): Promise<FoundPage> {
  const { id, position } = input;
  const { receipt, failure } = await endedQuery(dependencies, caller, input);
  if (receipt.ended_ts === null) return await waitingPage(dependencies, receipt, position);
  const progress = progressOf(receipt);
  if (receipt.state !== 'FINISHED') {
    const error = presentError(receipt.error === null ? LOST : { ...receipt.error, ...failure });
    return { columns: undefined, rows: [], nextRow: undefined, progress: { ...progress, state: 'FAILED' }, error };
  }
  const stored = await storedPage(dependencies, caller, { id, position, progress });
  if (stored === undefined) throw notKept(receipt);
  return stored;
}

/** Returns a page of a complete result from the store, or undefined if that does not have it. */
async function storedPage(
  { keptResults }: ReadPageDependencies,
  caller: Caller,
  { id, position, progress }: Omit<PageInput, 'signal'> & { readonly progress: StatementProgress },
): Promise<FoundPage | undefined> {
  const opened = await openKeptResult(keptResults, caller, id).catch((thrown: unknown) => {
    if (asProblem(thrown).code === 'not_found') return undefined;
    throw thrown;
  });
  if (opened === undefined) return undefined;
  try {
    return { ...(await pageOfStore(opened.reader, position.rows)), progress };
  } finally {
    await opened[Symbol.asyncDispose]();
  }
}

/** Waits for the end of a query of any host, at most as long as a page may take. Returns the query as it is then. */
async function endedQuery(
  { queries, keptResults, preparedAnswers }: ReadPageDependencies,
  caller: Caller,
  { id, signal }: PageInput,
): Promise<FoundQuery> {
  const { principal } = caller;
  const deadlineMs = performance.now() + WAIT_MS;
  let isAsked = false;
  for (;;) {
    const stored = await queries.find(principal.tenant.id, id);
    if (stored === undefined && (await preparedAnswers.find(id)) === 'in memory') throw onOtherHost();
    if (stored === undefined || !isOwn(stored, principal)) throw noSuchPage();
    if (stored.receipt.ended_ts !== null || performance.now() >= deadlineMs) return stored;
    isAsked ||= (await keptResults?.ask(caller, id)) === true;
    if (!isAsked) throw onOtherHost();
    await wait(FIND_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

async function waitingPage(
  dependencies: ReadPageDependencies,
  receipt: Receipt,
  position: PagePosition,
): Promise<FoundPage> {
  const live = await findLiveCounts(dependencies, receipt.query_id);
  const progress: StatementProgress = { ...progressOf(receipt), state: 'RUNNING', ...(live && countsOf(live)) };
  return { columns: undefined, rows: [], nextRow: position.rows, progress };
}

const countsOf = ({ rows, bytes }: Pick<Receipt, 'rows' | 'bytes'>) => ({ rows, bytes });

const progressOf = ({ rows, bytes, started_ts: started, ended_ts: ended }: Receipt): StatementProgress => ({
  state: 'FINISHED',
  rows,
  bytes,
  elapsedMs: (ended ?? Date.now()) - started,
  splitsDone: null,
  splitsTotal: null,
});

/** Time for which the memory of another host may still have the rows of an ended query. */
const IN_MEMORY_MS = 60_000;

const notKept = ({ ended_ts: ended }: Receipt): ProblemError =>
  ended !== null && Date.now() - ended < IN_MEMORY_MS ? onOtherHost() : gone();

/** Drivers repeat a request that is refused so, and a proxy may send the next one to the host that has the rows. */
const onOtherHost = (): ProblemError =>
  new ProblemError(
    'service_unavailable',
    'The rows of this statement are in the memory of another host. Send the request again; the proxy must send it to the host of the statement.',
    { retryAfterSeconds: 1 },
  );

const gone = (): ProblemError =>
  new ProblemError('gone', 'The rows of this page are not kept any more. Run the statement again.');

/** Failure of a query whose host ended without recording one. */
const LOST: StatementFailure = {
  code: 'HOST_SUSPENDED',
  message: 'The host that ran this statement was lost. Run the statement again.',
};
