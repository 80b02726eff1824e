import type { StreamOperationTypes } from '../contract-types.ts';
import type { DownloadFormat } from '../downloads/download-formats.ts';
import { downloadResult, type ResultDownload, type ResultDownloadOptions } from '../downloads/download-result.ts';
import type { DownloadTarget } from '../downloads/download-target.ts';
import { type ResultFileContext, type ResultFormatOptions, requestFileFacts } from '../downloads/result-file.ts';
import type { ResumeOptions } from '../http/resume.ts';
import type { CallOptions, StreamOperations } from '../operations/operations.ts';
import { awaitKept } from '../queries/await-kept.ts';
import { isQueryId } from '../queries/cancel-on-server.ts';
import { createQuery } from '../queries/create-query.ts';
import type { Row } from '../queries/parse-events.ts';
import type { Query, QueryOptions, TextQueryOptions } from '../queries/query.ts';
import type { RunContext } from '../queries/run-query.ts';
import type { RowText } from '../queries/split-row.ts';
import { type PagesContext, type ResultRowsOptions, readPages, type TextResultRowsOptions } from './read-pages.ts';

/** Columns, size, expiry and shares of a kept result. */
export type KeptResultFacts = StreamOperationTypes['getResult']['result'];
/** Role, user or service account that may view a kept result. */
export type ResultShare = StreamOperationTypes['shareResult']['body']['shares'][number];

export interface FollowResultOptions extends ResumeOptions, Pick<QueryOptions, 'numbers' | 'signal' | 'onProgress'> {
  /** Rows to leave out, because they were received before. Default: 0. */
  readonly after?: number;
}

/** Options of a result whose rows are the JSON text of their values. */
export interface TextFollowResultOptions extends Omit<FollowResultOptions, 'numbers'>, Pick<TextQueryOptions, 'rows'> {}

/** Rows of a result that is followed: a query that leaving the loop does not cancel. */
export type FollowedResult<R extends object = Row> = Omit<Query<R>, 'cancel'>;

/** The kept result of a query. Nothing is sent before one of its methods is called. */
export interface KeptResult {
  /** Id of the query. */
  readonly id: string;
  /**
   * Waits until the query has ended, and keeps a query running that has lost its client.
   * @throws ResponseError `not_found` if the result is not kept
   */
  ready(options?: Pick<CallOptions, 'signal'>): Promise<void>;
  /** Columns, number of rows, expiry, shares and formats. Throws ResponseError `not_found` if the result is not kept. */
  facts(options?: CallOptions): Promise<KeptResultFacts>;
  /**
   * Rows in pages, from any row on. Each page is requested when the loop reaches it. A page that is cut is requested again.
   * @throws ResponseError, IncompleteResultError
   */
  rows(options: TextResultRowsOptions): AsyncGenerator<RowText[], void, undefined>;
  rows<R extends object = Row>(options?: ResultRowsOptions): AsyncGenerator<R[], void, undefined>;
  /**
   * Downloads the result in a format, with the bytes of a direct download. After a cut it continues where it was. Length and SHA-256 of all
   * bytes are compared with those of the host.
   * @throws ResponseError, IncompleteResultError, or SluiceError `target_failed`
   */
  download<Result>(
    format: DownloadFormat,
    target: DownloadTarget<Result>,
    options?: ResultDownloadOptions,
  ): Promise<ResultDownload<Result>>;
  /**
   * Length in bytes and SHA-256 in lower-case hex of the file that `download` gets, without its bytes: a file that has both is whole. The
   * length is undefined if a proxy has removed it. Throws ResponseError.
   */
  fileFacts(format: DownloadFormat, options?: ResultFileFactsOptions): Promise<ResultFileFacts>;
  /**
   * Sets who may view the result besides you, and returns the shares as stored. An empty list ends all shares.
   * @throws ResponseError
   */
  share(shares: readonly ResultShare[], options?: CallOptions): Promise<readonly ResultShare[]>;
  /** Deletes the result before it expires. Throws ResponseError. */
  delete(options?: CallOptions): Promise<void>;
  /**
   * Rows as they arrive, also while the query runs. Leaving the loop does not cancel the query.
   * @throws QueryFailedError if the statement fails, IncompleteResultError, ResponseError `not_found` if the result is not kept
   */
  follow(options: TextFollowResultOptions): FollowedResult<RowText>;
  follow<R extends object = Row>(options?: FollowResultOptions): FollowedResult<R>;
}

export interface ResultFileFactsOptions extends ResultFormatOptions, Pick<CallOptions, 'signal'> {}

/** Facts that prove that a file is the one of a kept result. */
export interface ResultFileFacts {
  readonly length: number | undefined;
  readonly sha256: string;
}

type ResultContext = RunContext & PagesContext & ResultFileContext;
type ResultOperations = Pick<StreamOperations, 'getResult' | 'shareResult' | 'deleteResult'>;

/** @throws TypeError if it is not a whole number of at least 0 */
function requireCount(name: string, value: number): number {
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new TypeError(`${name} must be a whole number of at least 0.`);
}

/**
 * Creates the kept result of a query.
 * @throws TypeError if the id does not have the form of one
 */
export function createKeptResult(context: ResultContext, stream: ResultOperations, id: string): KeptResult {
  if (typeof id !== 'string' || !isQueryId(id)) throw new TypeError('id must be the id of a query.');
  const params = { id };
  const follow = ({ after = 0, ...options }: FollowResultOptions | TextFollowResultOptions = {}): unknown =>
    createQuery(context, { resultId: id, after: requireCount('after', after) }, options as TextQueryOptions);
  return {
    id,
    ready: ({ signal } = {}) => awaitKept(context, id, signal),
    facts: (options) => stream.getResult({ ...options, params }),
    rows: ((options: ResultRowsOptions) => readPages(context, id, options)) as KeptResult['rows'],
    download: (format, target, options) => downloadResult(context, { queryId: id, format }, target, options),
    fileFacts: (format, { signal, ...options } = {}) =>
      requestFileFacts(context, { queryId: id, format, options }, signal),
    share: async (shares, options) => {
      const stored = await stream.shareResult({ ...options, params, body: { shares: [...shares] } });
      return stored.shares;
    },
    delete: async (options) => {
      await stream.deleteResult({ ...options, params });
    },
    follow: follow as KeptResult['follow'],
  };
}
