import type { Receipt } from '../contract-types.ts';
import { IncompleteResultError, QueryFailedError, ResponseError, SluiceError } from '../errors.ts';
import { readAnswer } from '../http/read-json.ts';
import { mayResume, type ResumeOptions, requireAttempts } from '../http/resume.ts';
import type { SendRequest } from '../http/send-request.ts';
import { awaitKept } from '../queries/await-kept.ts';
import { requireReceiptOf } from '../queries/await-receipt.ts';
import { cancelOnServer, queryIdOf } from '../queries/cancel-on-server.ts';
import { type DownloadRequest, downloadRequest, type StatementDownload } from './download-request.ts';
import type { DownloadTarget, OpenTarget } from './download-target.ts';
import { type DownloadIds, type DownloadProgress, ReceivedFile } from './received-file.ts';
import { mediaTypeOf, ResultTransfer } from './result-file.ts';

export interface DownloadOptions extends ResumeOptions {
  /** Cancels the download. It then rejects with the reason of the signal, and the target is aborted. */
  readonly signal?: AbortSignal;
  /** Called after each chunk, and at the end. */
  readonly onProgress?: (progress: DownloadProgress) => void;
  /**
   * Longest silence between two chunks in milliseconds. Default: unlimited, because downloads have no heartbeats. The wait for the first
   * row is not limited; use `signal`.
   */
  readonly idleTimeoutMs?: number;
}

export interface Download<Result> {
  /** Receipt of the query. Its `sha256` is null if the first connection was cut, and the kept result had the rest. */
  readonly receipt: Receipt;
  /** Hash that the bytes were compared with: that of the receipt, or the `Repr-Digest` of the kept result. */
  readonly proof: 'receipt' | 'digest';
  readonly bytes: number;
  /** SHA-256 of the bytes in lower-case hex. */
  readonly sha256: string;
  /** Result of the target: a Blob, the path of a file, or nothing for a stream. */
  readonly result: Result;
}

interface DownloadContext {
  readonly send: SendRequest;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly retryDelayMaxMs: number;
}

async function readReceipt(
  context: DownloadContext,
  queryId: string,
  signal: AbortSignal | undefined,
): Promise<Receipt> {
  const operation = 'getQuery';
  const response = await context.send({
    operation,
    host: 'stream',
    method: 'GET',
    path: `/query/${encodeURIComponent(queryId)}`,
    isAuthenticated: true,
    repeatability: 'safe',
    signal,
    timeoutMs: context.timeoutMs,
  });
  const receipt = (await readAnswer(response, { operation, timeoutMs: context.timeoutMs, signal })) as Receipt;
  requireReceiptOf(queryId, receipt);
  return receipt;
}

/** Reads the receipt of a body that has ended. Without it, nothing proves that the body is whole. */
async function requireReceipt(
  context: DownloadContext,
  ids: DownloadIds,
  signal: AbortSignal | undefined,
): Promise<Receipt> {
  try {
    return await readReceipt(context, ids.queryId, signal);
  } catch (cause) {
    const isRejected = cause instanceof ResponseError && cause.status === 401;
    if (isRejected || !(cause instanceof SluiceError)) throw cause;
    const message = `All bytes seem to have arrived, but the receipt that proves it could not be read: ${cause.message}`;
    throw new IncompleteResultError('receipt', message, { ...ids, status: cause.status, cause });
  }
}

type Mismatch = 'state' | 'hash' | 'row_count' | 'cut';

const incomplete = (reason: Mismatch, what: string, ids: DownloadIds): IncompleteResultError =>
  new IncompleteResultError(reason, `The download is not complete: ${what}. Run it again.`, ids);

/** Throws if the statement has failed. */
function requireNotFailed({ state, error }: Receipt, ids: DownloadIds): void {
  if (state === 'FAILED' && error !== null) throw new QueryFailedError(error.code.toLowerCase(), error.message, ids);
}

/** Throws unless the receipt says that exactly these bytes are the whole result. Returns their SHA-256. */
function compareWithReceipt(file: ReceivedFile, receipt: Receipt): string {
  const { bytes, rows, ids } = file;
  const sha256 = file.digest();
  if (receipt.bytes !== bytes || receipt.sha256 !== sha256)
    throw incomplete(
      'hash',
      `${bytes} bytes arrived, and the receipt has ${receipt.bytes} bytes with another hash`,
      ids,
    );
  if (rows !== undefined && rows !== receipt.rows)
    throw incomplete('row_count', `${rows} rows arrived, and the receipt has ${receipt.rows}`, ids);
  return sha256;
}

/** Returns the error that explains a cut. If the receipt has one, such as a failed statement, that caused the cut. */
async function explain(error: unknown, context: DownloadContext, ids: DownloadIds): Promise<unknown> {
  if (!(error instanceof IncompleteResultError) || error.reason !== 'cut') return error;
  const receipt = await readReceipt(context, ids.queryId, undefined).catch(() => undefined);
  if (receipt?.state !== 'FAILED' || receipt.error === null) return error;
  return new QueryFailedError(receipt.error.code.toLowerCase(), receipt.error.message, { ...ids, cause: error });
}

/**
 * Waits until a query whose connection was cut has ended, because its result can be read as a file only then.
 * @throws QueryFailedError if the statement has failed
 */
async function awaitEnd(context: DownloadContext, ids: DownloadIds, signal: AbortSignal | undefined): Promise<void> {
  // Whether the result is kept is known from the request for the file.
  await awaitKept(context, ids.queryId, signal).catch(() => undefined);
  signal?.throwIfAborted();
  const receipt = await readReceipt(context, ids.queryId, signal).catch(() => undefined);
  if (receipt !== undefined) requireNotFailed(receipt, ids);
}

interface OpenBody {
  readonly response: Response;
  readonly request: DownloadRequest;
  readonly file: ReceivedFile;
}

/** Returns whether a download is that of a statement whose result is kept. */
const isKept = (request: DownloadRequest): request is StatementDownload & { readonly keep: string } =>
  'sql' in request && request.keep !== undefined;

/**
 * Receives the rest of a download from the kept result, which has the same bytes, and returns the SHA-256 of all of them.
 * @throws the failure if there is none
 */
async function receiveRest(
  context: DownloadContext,
  { request, file }: OpenBody,
  failure: unknown,
  options: DownloadOptions,
): Promise<string> {
  if (!isKept(request) || !mayResume(failure) || options.resumeAttempts === 0) throw failure;
  const { format, filename, bigNumbers, excelSafe, separator, bom, excelDates } = request;
  const { signal, idleTimeoutMs } = options;
  await awaitEnd(context, file.ids, signal);
  const { queryId } = file.ids;
  // A workbook has its name in it.
  const source = { queryId, format, options: { filename, bigNumbers, excelSafe, separator, bom, excelDates } };
  const transfer = new ResultTransfer(context, source, file, { ...options, signal, idleTimeoutMs });
  return await transfer.receive(await transfer.continueAfter(failure, undefined));
}

/** Receives the bytes of a direct download. Returns their SHA-256, and the receipt that proves them. */
async function receiveDirect(
  context: DownloadContext,
  { response, request, file }: OpenBody,
  { idleTimeoutMs, signal }: DownloadOptions,
): Promise<{ readonly receipt: Receipt; readonly sha256: string }> {
  const { ids } = file;
  await file.receive(response.body, { skip: 0, idleTimeoutMs, signal });
  const receipt = await requireReceipt(context, ids, signal);
  requireNotFailed(receipt, ids);
  const canContinue = isKept(request);
  if (receipt.state !== 'FINISHED') {
    const what = `the transfer has ended, and the receipt says that the query is ${receipt.state}`;
    throw incomplete(canContinue ? 'cut' : 'state', what, ids);
  }
  // The receipt of a query that went on without its client has no hash.
  if (canContinue && (file.bytes < receipt.bytes || receipt.sha256 === null))
    throw incomplete('cut', `${file.bytes} of ${receipt.bytes} bytes arrived`, ids);
  return { receipt, sha256: compareWithReceipt(file, receipt) };
}

/** Saves a body in the target, which is committed only if the bytes are whole. */
async function save<Result>(
  context: DownloadContext,
  body: OpenBody,
  open: OpenTarget<Result>,
  options: DownloadOptions,
): Promise<Download<Result>> {
  const { file } = body;
  let sha256: string;
  try {
    const direct = await receiveDirect(context, body, options);
    return { ...direct, proof: 'receipt', bytes: file.bytes, result: await open.commit(direct.receipt) };
  } catch (error) {
    sha256 = await receiveRest(context, body, error, options);
  }
  const receipt = await requireReceipt(context, file.ids, options.signal);
  // The host had sent all bytes, and has their hash, if they were lost behind it.
  const isProven = receipt.sha256 === sha256 && receipt.bytes === file.bytes;
  const result = await open.commit(isProven ? receipt : undefined);
  return { receipt, sha256, proof: isProven ? 'receipt' : 'digest', bytes: file.bytes, result };
}

/** Errors after which the query has ended on the server. After others it may still run. */
const isEnded = (error: unknown): boolean =>
  error instanceof QueryFailedError ||
  (error instanceof IncompleteResultError && (error.reason === 'hash' || error.reason === 'row_count'));

/**
 * Downloads a result. Resolves only when hash and row count equal the receipt; until then the target shows nothing under its name. With
 * `keep`, a download that is cut gets its rest from the kept result, and all its bytes are compared with the hash of that.
 * @throws ResponseError, QueryFailedError, IncompleteResultError, or SluiceError `target_failed`
 */
export async function download<Result>(
  context: DownloadContext,
  request: DownloadRequest,
  target: DownloadTarget<Result>,
  options: DownloadOptions = {},
): Promise<Download<Result>> {
  const { signal, onProgress } = options;
  requireAttempts(options);
  await target.prepare?.();
  const response = await context.send({ ...downloadRequest(request), signal });
  const queryId = queryIdOf(response);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  if (queryId === undefined) {
    await response.body?.cancel();
    const message =
      'The response has no X-Query-Id, so it cannot be compared with a receipt. Check streamUrl and the proxies on the way.';
    throw new ResponseError('unexpected_response', message, { status: response.status, requestId });
  }
  const ids = { queryId, requestId };
  const mediaType = mediaTypeOf(response);
  let open: OpenTarget<Result> | undefined;
  try {
    open = await target.open({ queryId, mediaType });
    const file = new ReceivedFile(open, { target, mediaType, ids, onProgress });
    return await save(context, { response, request, file }, open, options);
  } catch (error) {
    await open?.abort(error).catch(() => undefined);
    await response.body?.cancel().catch(() => undefined);
    if (!isEnded(error)) await cancelOnServer(context.send, queryId);
    throw await explain(error, context, ids);
  }
}
