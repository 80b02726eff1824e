import { callerOf, doorOperations, type Principal } from '@sluice/contract';
import {
  bytes as bytesResponse,
  json,
  noContent,
  type Reader,
  type ResponseHeaders,
  type Route,
  type RouteResponse,
  route,
  stream,
} from '@sluice/http';
import {
  presentPage,
  presentStats,
  type QueryResults,
  type RequestHeaders,
  readClientSession,
  SESSION_HEADERS,
  type StatementProgress,
} from '@sluice/trino-protocol';
import { requireOwnUser } from '../../door/own-user.ts';
import { noSuchPage, type PageMarks } from '../../door/page-marks.ts';
import { type PagePosition, presentPosition, readPosition } from '../../door/page-position.ts';
import type { BeginStatement } from '../../use-cases/door/begin-statement.ts';
import type { CancelStatement } from '../../use-cases/door/cancel-statement.ts';
import type { FoundPage, ReadPage, WantPages } from '../../use-cases/door/read-page.ts';

interface StatementRoutesDependencies {
  readonly beginStatement: BeginStatement;
  readonly readPage: ReadPage;
  readonly wantPages: WantPages;
  readonly cancelStatement: CancelStatement;
  readonly pageMarks: PageMarks;
  /** Returns the page of the console that shows a query of the caller. */
  readonly infoUriOf: (account: Principal, queryId: string) => string;
}

/** Bytes from which on a page is a stream, which is compressed if the client accepts that. */
const STREAM_BYTES_MIN = 1_024;

const BEGUN: StatementProgress = {
  ...{ state: 'QUEUED', rows: 0, bytes: 0, elapsedMs: 0 },
  ...{ splitsDone: null, splitsTotal: null },
};

/** Statements of Trino clients and their pages. */
export const statementRoutes = (dependencies: StatementRoutesDependencies): Route[] => [
  route(doorOperations.beginStatement, async (request) => {
    const { principal, headers, body: sql, signal, baseUrl } = request;
    requireOwnUser(headers, principal);
    // Statements have a share of their own, in the queue for workers.
    request.leaveShare();
    const { id, position } = await dependencies.beginStatement(callerOf(request), {
      sql,
      readSession: () => readClientSession(sessionHeaders(headers)),
      signal,
    });
    const nextUri = await nextUriOf(dependencies, { baseUrl, principal, id, position });
    const infoUri = dependencies.infoUriOf(principal, id);
    const results = { id, infoUri, nextUri, columns: undefined, stats: presentStats(BEGUN) };
    return pageResponse(results, { rows: [], capabilities: position.capabilities });
  }),
  route(doorOperations.checkStatements, async ({ headers, principal }) => {
    requireOwnUser(headers, principal);
    return json(200, {});
  }),
  route(doorOperations.readPage, async (request) => {
    const { principal, baseUrl, signal, isHead } = request;
    const { id, position } = await checkedPage(dependencies, request);
    const caller = callerOf(request);
    if (isHead) {
      await dependencies.wantPages(caller, id);
      return json(200, {}, { 'x-query-id': id });
    }
    const { rows, nextRow, progress, headers, ...page } = await dependencies.readPage(caller, { id, position, signal });
    const next = nextRow === undefined ? undefined : { ...position, rows: nextRow };
    const nextUri = next && (await nextUriOf(dependencies, { baseUrl, principal, id, position: next }));
    const infoUri = dependencies.infoUriOf(principal, id);
    const results = { id, infoUri, nextUri, ...page, stats: presentStats(progress) };
    return pageResponse(results, { rows, headers, capabilities: position.capabilities });
  }),
  route(doorOperations.cancelStatement, async (request) => {
    const { id, position } = await checkedPage(dependencies, request);
    if (!position.isPrepared) await dependencies.cancelStatement(callerOf(request), id);
    return noContent({ 'x-query-id': id });
  }),
];

const sessionHeaders = (headers: Reader): RequestHeaders =>
  Object.fromEntries(SESSION_HEADERS.map((name) => [name, headers.get(name)]));

interface PageRequest {
  readonly params: { readonly id: string; readonly mark: string; readonly n: string };
  readonly principal: Principal;
}

/** Throws `not_found` for an address that no host has given to this account. */
async function checkedPage(
  { pageMarks }: StatementRoutesDependencies,
  { params: { id, mark, n }, principal }: PageRequest,
): Promise<{ readonly id: string; readonly position: PagePosition }> {
  const position = readPosition(n);
  if (position === undefined) throw noSuchPage();
  await pageMarks.check(mark, { id, position: n }, principal);
  return { id, position };
}

interface NextPage {
  readonly baseUrl: string;
  readonly principal: Principal;
  readonly id: string;
  readonly position: PagePosition;
}

async function nextUriOf(
  { pageMarks }: StatementRoutesDependencies,
  { baseUrl, principal, id, position }: NextPage,
): Promise<string> {
  const text = presentPosition(position);
  const mark = await pageMarks.issue({ id, position: text }, principal);
  return `${baseUrl}/v1/statement/executing/${id}/${mark}/${text}`;
}

interface PageParts {
  readonly rows: FoundPage['rows'];
  readonly headers?: FoundPage['headers'];
  readonly capabilities: PagePosition['capabilities'];
}

function pageResponse(results: QueryResults, { rows, headers = {}, capabilities }: PageParts): RouteResponse {
  const pieces = presentPage(results, rows, capabilities);
  const all: ResponseHeaders = { ...headers, 'x-query-id': results.id };
  const bytes = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  if (bytes < STREAM_BYTES_MIN) return bytesResponse(200, 'application/json', Buffer.concat(pieces), all);
  return stream({ status: 200, mediaType: 'application/json', headers: all, body: inOrder(pieces) });
}

async function* inOrder(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
