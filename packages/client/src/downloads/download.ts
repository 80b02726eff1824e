import type { Receipt } from '../contract-types.ts';
import {
  IncompleteResultError,
  QueryFailedError,
  ResponseError,
  SluiceError,
  type SluiceErrorFields,
} from '../errors.ts';
import { readAnswer } from '../http/read-json.ts';
import type { SendRequest } from '../http/send-request.ts';
import { requireReceiptOf } from '../queries/await-receipt.ts';
import { cancelOnServer, queryIdOf } from '../queries/cancel-on-server.ts';
import { readChunks } from '../queries/read-blocks.ts';
import { createTaskBreaks } from '../queries/yield-to-events.ts';
import { type DownloadRequest, downloadRequest } from './download-request.ts';
import type { DownloadTarget, OpenTarget } from './download-target.ts';
import { createRowCounter, type RowCounter } from './row-counter.ts';
import { createSha256, type Hasher } from './sha256.ts';

export interface DownloadProgress {
  readonly queryId: string;
  /** Bytes so far. */
  readonly bytes: number;
  /** Rows so far; undefined for formats whose rows cannot be counted on the way. */
  readonly rows: number | undefined;
  readonly elapsedMs: number;
}

export interface DownloadOptions {
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
  readonly receipt: Receipt;
  /** Result of the target: a Blob, the path of a file, or nothing for a stream. */
  readonly result: Result;
}

interface DownloadContext {
  readonly send: SendRequest;
  readonly timeoutMs: number;
}

interface Received {
  readonly bytes: number;
  readonly sha256: string;
  readonly rows: number | undefined;
}

/** Reads the body into the target, hashing and counting on the way. */
async function receive(
  response: Response,
  target: OpenTarget<unknown>,
  tools: { readonly hasher: Hasher; readonly counter: RowCounter | undefined },
  options: DownloadOptions & { readonly ids: SluiceErrorFields & { readonly queryId: string } },
): Promise<Received> {
  const { hasher, counter } = tools;
  const { idleTimeoutMs, ids, signal = new AbortController().signal } = options;
  const started = performance.now();
  const breakTask = createTaskBreaks();
  let bytes = 0;
  for await (const chunk of readChunks(response.body ?? new Blob([]).stream(), { idleTimeoutMs, signal, ids })) {
    await breakTask();
    bytes += chunk.length;
    hasher.update(chunk);
    counter?.add(chunk);
    await writeTo(target, chunk, ids);
    const elapsedMs = performance.now() - started;
    options.onProgress?.({ queryId: ids.queryId, bytes, rows: counter?.rows, elapsedMs });
  }
  return { bytes, sha256: hasher.digest(), rows: counter?.rows };
}

async function writeTo(target: OpenTarget<unknown>, chunk: Uint8Array, ids: SluiceErrorFields): Promise<void> {
  try {
    await target.write(chunk);
  } catch (cause) {
    if (cause instanceof SluiceError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SluiceError('target_failed', `The download could not be written: ${reason}`, { ...ids, cause });
  }
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
  ids: SluiceErrorFields & { readonly queryId: string },
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

/** Throws unless the receipt says that exactly these bytes are the whole result. */
function compareWithReceipt(received: Received, receipt: Receipt, ids: SluiceErrorFields): void {
  const incomplete = (reason: 'state' | 'hash' | 'row_count', what: string) =>
    new IncompleteResultError(reason, `The download is not complete: ${what}. Run it again.`, ids);
  if (receipt.state === 'FAILED' && receipt.error !== null)
    throw new QueryFailedError(receipt.error.code.toLowerCase(), receipt.error.message, ids);
  if (receipt.state !== 'FINISHED')
    throw incomplete('state', `the transfer has ended, and the receipt says that the query is ${receipt.state}`);
  if (receipt.bytes !== received.bytes || receipt.sha256 !== received.sha256)
    throw incomplete(
      'hash',
      `${received.bytes} bytes arrived, and the receipt has ${receipt.bytes} bytes with another hash`,
    );
  if (received.rows !== undefined && received.rows !== receipt.rows)
    throw incomplete('row_count', `${received.rows} rows arrived, and the receipt has ${receipt.rows}`);
}

/** Returns the error that explains a cut. If the receipt has one, such as a failed statement, that caused the cut. */
async function explain(error: unknown, context: DownloadContext, ids: SluiceErrorFields): Promise<unknown> {
  if (!(error instanceof IncompleteResultError) || error.reason !== 'cut' || ids.queryId === undefined) return error;
  const receipt = await readReceipt(context, ids.queryId, undefined).catch(() => undefined);
  if (receipt?.state !== 'FAILED' || receipt.error === null) return error;
  return new QueryFailedError(receipt.error.code.toLowerCase(), receipt.error.message, { ...ids, cause: error });
}

const mediaTypeOf = (response: Response): string =>
  response.headers.get('content-type')?.split(';')[0]?.trim() ?? 'application/octet-stream';

interface OpenBody {
  readonly response: Response;
  readonly ids: SluiceErrorFields & { readonly queryId: string };
  readonly mediaType: string;
}

/** Saves a body in the target, which is committed only if the receipt says that the bytes are whole. */
async function save<Result>(
  context: DownloadContext,
  { response, ids, mediaType }: OpenBody,
  target: DownloadTarget<Result>,
  options: DownloadOptions,
): Promise<Download<Result>> {
  const open = await target.open({ queryId: ids.queryId, mediaType });
  const tools = { hasher: target.createSha256?.() ?? createSha256(), counter: createRowCounter(mediaType) };
  try {
    const received = await receive(response, open, tools, { ...options, ids });
    const receipt = await requireReceipt(context, ids, options.signal);
    compareWithReceipt(received, receipt, ids);
    return { receipt, result: await open.commit(receipt) };
  } catch (error) {
    await open.abort(error).catch(() => undefined);
    throw error;
  }
}

/** Errors after which the query has ended on the server. After others it may still run. */
const isEnded = (error: unknown): boolean =>
  error instanceof QueryFailedError ||
  (error instanceof IncompleteResultError && (error.reason === 'hash' || error.reason === 'row_count'));

/**
 * Downloads a result. Resolves only when hash and row count equal the receipt; until then the target shows nothing under its name.
 * @throws ResponseError, QueryFailedError, IncompleteResultError, or SluiceError `target_failed`
 */
export async function download<Result>(
  context: DownloadContext,
  request: DownloadRequest,
  target: DownloadTarget<Result>,
  options: DownloadOptions = {},
): Promise<Download<Result>> {
  const { signal } = options;
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
  const body = { response, ids, mediaType: mediaTypeOf(response) };
  try {
    return await save(context, body, target, options);
  } catch (error) {
    await response.body?.cancel().catch(() => undefined);
    if (!isEnded(error)) await cancelOnServer(context.send, queryId);
    throw await explain(error, context, ids);
  }
}
