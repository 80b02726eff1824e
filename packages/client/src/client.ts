import { basicAuthorization, createTokenRequest, storedToken } from './auth/request-token.ts';
import { createTokenSource, type TokenSource } from './auth/token-source.ts';
import { type ClientOptions, readClientOptions } from './client-options.ts';
import { type Download, type DownloadOptions, download } from './downloads/download.ts';
import type { DownloadRequest } from './downloads/download-request.ts';
import type { DownloadTarget } from './downloads/download-target.ts';
import { createSendRequest } from './http/send-request.ts';
import { createLists, type Lists } from './lists/lists.ts';
import {
  type ApiOperations,
  createApiOperations,
  createStreamOperations,
  type StreamOperations,
} from './operations/operations.ts';
import { createRawRequest, type RawRequest } from './operations/raw-request.ts';
import { createQuery } from './queries/create-query.ts';
import type { Row } from './queries/parse-events.ts';
import type { Query, QueryOptions, TextQueryOptions } from './queries/query.ts';
import type { RowText } from './queries/split-row.ts';
import { createKeptResult, type KeptResult } from './results/kept-result.ts';

/** A client of one tenant with one credential. It holds no connection and need not be closed. */
export interface Client extends Lists {
  /**
   * Creates a query, which is sent when its columns or rows are first asked for.
   * @param sql - one read-only statement
   * @typeParam R - type of its rows, which is not checked
   */
  query(sql: string, options: TextQueryOptions): Query<RowText>;
  query<R extends object = Row>(sql: string, options?: QueryOptions): Query<R>;
  /**
   * Runs a query and returns all its rows, for results that fit into memory.
   * @throws QueryFailedError if the statement fails, IncompleteResultError if the result ends without the proof that it is complete
   */
  rows(sql: string, options: TextQueryOptions): Promise<RowText[]>;
  rows<R extends object = Row>(sql: string, options?: QueryOptions): Promise<R[]>;
  /**
   * Downloads a result or an item of the marketplace, and compares it with its receipt.
   * @param target - `toBlob()`, `toStream(...)`, or `toFile(...)` of `@sluice/client/node`
   * @throws ResponseError, QueryFailedError, IncompleteResultError, or SluiceError `target_failed`
   */
  download<Result>(
    request: DownloadRequest,
    target: DownloadTarget<Result>,
    options?: DownloadOptions,
  ): Promise<Download<Result>>;
  /**
   * Returns the kept result of a query: its facts, rows, downloads and shares. Nothing is sent before one of its methods is called.
   * @throws TypeError if the id does not have the form of one
   */
  result(queryId: string): KeptResult;
  /**
   * Sends a request as it is, to the host that has its path, and returns the response with any status. Nothing is retried, except
   * after a 401 once with a new token.
   * @throws TypeError if neither host has the path and `host` is not given, ConnectionError
   */
  request(request: RawRequest): Promise<Response>;
  /** Every operation of the stream host. */
  readonly stream: StreamOperations;
  /** Every operation of the API host. */
  readonly api: ApiOperations;
}

/**
 * Creates a client. Nothing is sent before the first request.
 * @throws TypeError naming the first option that is not valid
 */
export function createClient(options: ClientOptions): Client {
  const settings = readClientOptions(options);
  // The login itself sends requests, without a token.
  let tokens: TokenSource | undefined;
  const findTokens = (): TokenSource => {
    if (tokens === undefined) throw new Error('A login must not need a token.');
    return tokens;
  };
  const send = createSendRequest(settings, findTokens, basicAuthorization(options.auth));
  tokens = createTokenSource(
    createTokenRequest({ tenant: settings.tenant, send, timeoutMs: settings.timeoutMs }, options.auth),
    storedToken(options.auth),
  );
  const context = { send, ...settings };
  const stream = createStreamOperations(context);
  const api = createApiOperations(context);
  const query = ((sql: string, queryOptions: QueryOptions) =>
    createQuery(context, { sql }, queryOptions)) as Client['query'];
  return {
    query,
    rows: (async (sql: string, queryOptions: QueryOptions) =>
      await readAll(query(sql, queryOptions))) as Client['rows'],
    download: (request, target, downloadOptions) => download(context, request, target, downloadOptions),
    result: (queryId) => createKeptResult(context, stream, queryId),
    request: createRawRequest(send),
    stream,
    api,
    ...createLists(stream, api),
  };
}

async function readAll(query: Query): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of query.batches()) for (const row of batch) rows.push(row);
  return rows;
}
