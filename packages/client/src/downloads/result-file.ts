import { IncompleteResultError, ResponseError } from '../errors.ts';
import { mayResume, type ResumeOptions, Resumer } from '../http/resume.ts';
import type { RequestInput, SendRequest } from '../http/send-request.ts';
import { expandPath } from '../operations/expand-path.ts';
import type { DownloadFormat } from './download-formats.ts';
import type { ReceivedFile } from './received-file.ts';

/** Options of the format of a kept result. Its time zone is that of the execution. */
export interface ResultFormatOptions {
  /** Name in `Content-Disposition`, without extension. */
  readonly filename?: string;
  /** `string` writes numbers that a double may round as strings. */
  readonly bigNumbers?: 'number' | 'string';
  /** CSV: prefixes values that a spreadsheet would run as formulas, which changes data, and sets `bom`. */
  readonly excelSafe?: boolean;
  /** CSV: character between two fields. Default: a comma. */
  readonly separator?: ',' | ';' | '\t' | '|';
  /** CSV: begins the file with a byte order mark, so that Excel reads it as UTF-8. Default: the value of `excelSafe`. */
  readonly bom?: boolean;
  /**
   * XLSX: makes date cells of all dates, times and timestamps, rounded to milliseconds, which changes data. The sheet About counts the
   * changes.
   */
  readonly excelDates?: boolean;
}

/** File of a kept result. */
export interface ResultSource {
  readonly queryId: string;
  readonly format: DownloadFormat;
  readonly options: { readonly [Name in keyof ResultFormatOptions]?: ResultFormatOptions[Name] | undefined };
}

export interface ResultFileContext {
  readonly send: SendRequest;
  readonly retryDelayMaxMs: number;
}

/** Facts of a whole file, as each response for a part of it has them. */
export interface ResultFile {
  /** Undefined if the host or a proxy sent none that is strong: it then cannot be proven that a part is of the same file. */
  readonly etag: string | undefined;
  /** Undefined if a proxy has removed it. A response for a part of the file always has it. */
  readonly length: number | undefined;
  /** SHA-256 in lower-case hex. */
  readonly sha256: string;
  readonly mediaType: string;
}

/** Response with the bytes of a file from `start` on. */
export interface ResultPart extends ResultFile {
  readonly response: Response;
  readonly start: number;
  readonly requestId: string | undefined;
}

const STRONG_ETAG = /^"[^"]*"$/;
/** SHA-256 in a dictionary of digests (RFC 9530 section 3, RFC 9651). */
const SHA256_DIGEST = /(?:^|[\s,])sha-256=:([A-Za-z0-9+/]{43}=):/;
const CONTENT_RANGE = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/;
const LENGTH = /^\d{1,15}$/;

const toHex = (base64: string): string =>
  Array.from(atob(base64), (character) => character.charCodeAt(0).toString(16).padStart(2, '0')).join('');

/** Returns the media type of a response, without its parameters. */
export const mediaTypeOf = (response: Response): string =>
  response.headers.get('content-type')?.split(';')[0]?.trim() ?? 'application/octet-stream';

/** Returns the first byte of a response and the length of the whole file. Undefined: its place in the file is not known. */
function placeOf({ status, headers }: Response): Pick<ResultPart, 'start' | 'length'> | undefined {
  if (status === 206) {
    const [, start, , length] = CONTENT_RANGE.exec(headers.get('content-range') ?? '') ?? [];
    return start === undefined ? undefined : { start: Number(start), length: Number(length) };
  }
  // The length of a body with a content coding is not that of the file.
  const length = headers.has('content-encoding') ? '' : (headers.get('content-length') ?? '');
  return { start: 0, length: LENGTH.test(length) ? Number(length) : undefined };
}

function readPart(response: Response, queryId: string): ResultPart {
  const { headers, status } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const digest = SHA256_DIGEST.exec(headers.get('repr-digest') ?? '')?.[1];
  const place = placeOf(response);
  const etag = headers.get('etag') ?? '';
  if (digest === undefined || place === undefined) {
    const missing = digest === undefined ? 'Repr-Digest' : 'Content-Range';
    const message = `The response has no valid ${missing}, so the file cannot be verified. Check streamUrl and the proxies on the way.`;
    throw new ResponseError('unexpected_response', message, { status, requestId, queryId });
  }
  return {
    ...place,
    etag: STRONG_ETAG.test(etag) ? etag : undefined,
    sha256: toHex(digest),
    mediaType: mediaTypeOf(response),
    response,
    requestId,
  };
}

interface PartRequest {
  /** Bytes that have arrived. */
  readonly from: number;
  /** ETag of the file that they are of. */
  readonly etag: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Sends a request for a file. Lengths and digests are those of the file itself; browsers set the coding by themselves. */
function send(
  context: ResultFileContext,
  { queryId, format, options }: ResultSource,
  { method, headers, signal }: Pick<RequestInput, 'method' | 'headers' | 'signal'>,
): Promise<Response> {
  const query = {
    filename: options.filename,
    big_numbers: options.bigNumbers,
    excel_safe: options.excelSafe,
    separator: options.separator,
    bom: options.bom,
    excel_dates: options.excelDates,
  };
  return context.send({
    operation: 'downloadResult',
    host: 'stream',
    method,
    path: expandPath('/query/{id}/download/{format}', { id: queryId, format }, query),
    headers: { 'accept-encoding': 'identity', ...headers },
    isAuthenticated: true,
    repeatability: 'safe',
    signal,
  });
}

/**
 * Requests a file from its last received byte on: a range that begins behind its end would be an error. The host returns the whole file
 * instead if it has another ETag.
 * @throws ResponseError, ConnectionError
 */
export async function requestPart(
  context: ResultFileContext,
  source: ResultSource,
  { from, etag, signal }: PartRequest,
): Promise<ResultPart> {
  const headers = {
    ...(from === 0 ? {} : { range: `bytes=${from - 1}-` }),
    ...(from === 0 || etag === undefined ? {} : { 'if-range': etag }),
  };
  const response = await send(context, source, { method: 'GET', headers, signal });
  try {
    return readPart(response, source.queryId);
  } catch (error) {
    await response.body?.cancel().catch(() => undefined);
    throw error;
  }
}

/**
 * Requests the facts of a file without its bytes.
 * @throws ResponseError, ConnectionError
 */
export async function requestFileFacts(
  context: ResultFileContext,
  source: ResultSource,
  signal: AbortSignal | undefined,
): Promise<Pick<ResultFile, 'length' | 'sha256'>> {
  const { length, sha256 } = readPart(await send(context, source, { method: 'HEAD', signal }), source.queryId);
  return { length, sha256 };
}

const ADVICE = 'Download it again.';

/** Error of bytes that are not those of the file. */
const differs = (file: ReceivedFile, what: string): IncompleteResultError =>
  new IncompleteResultError('hash', `The download is not complete: ${what}. ${ADVICE}`, file.ids);

interface ReceiveOptions extends ResumeOptions {
  readonly idleTimeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Download of a kept result that may use several connections. */
export class ResultTransfer {
  readonly #context: ResultFileContext;
  readonly #source: ResultSource;
  readonly #file: ReceivedFile;
  readonly #options: ReceiveOptions;
  readonly #resumer: Resumer;

  constructor(context: ResultFileContext, source: ResultSource, file: ReceivedFile, options: ReceiveOptions) {
    this.#context = context;
    this.#source = source;
    this.#file = file;
    this.#options = options;
    this.#resumer = new Resumer(options, options.signal, context.retryDelayMaxMs);
  }

  /**
   * Receives the rest of a file, and compares length and SHA-256 of all its bytes with those that the host has sent.
   * @param first - response for its first part
   * @returns the SHA-256 in lower-case hex
   * @throws IncompleteResultError, ResponseError, SluiceError `target_failed`
   */
  async receive(first: ResultPart): Promise<string> {
    let part = first;
    for (;;) {
      try {
        await this.#receivePart(part);
        break;
      } catch (error) {
        // Only the end of the connection is missing.
        if (mayResume(error) && this.#file.bytes === part.length) break;
        part = await this.continueAfter(error, part);
      }
    }
    const { bytes } = this.#file;
    const { length = bytes } = part;
    const sha256 = this.#file.digest();
    if (bytes === length && sha256 === part.sha256) return sha256;
    throw differs(this.#file, `${bytes} bytes arrived, and the host has ${length} bytes with another hash`);
  }

  /**
   * Requests the rest of the file after a cut.
   * @param known - the file that the received bytes are of; undefined if they are those of the direct download of the query
   * @throws the failure if that is not possible, IncompleteResultError `hash` if the file is another one now
   */
  async continueAfter(failure: unknown, known: ResultFile | undefined): Promise<ResultPart> {
    const { signal } = this.#options;
    const file = this.#file;
    let last = failure;
    while (await this.#resumer.next(last, file.bytes)) {
      let part: ResultPart;
      try {
        part = await requestPart(this.#context, this.#source, { from: file.bytes, etag: known?.etag, signal });
      } catch (error) {
        signal?.throwIfAborted();
        last = error;
        continue;
      }
      if (known === undefined || part.sha256 === known.sha256) return part;
      await part.response.body?.cancel().catch(() => undefined);
      throw differs(file, 'the host now has another file than when the download began');
    }
    throw this.#resumer.explain(failure, last, ADVICE);
  }

  async #receivePart({ response, start, length, sha256 }: ResultPart): Promise<void> {
    const { idleTimeoutMs, signal } = this.#options;
    const file = this.#file;
    await file.receive(response.body, { skip: file.bytes - start, idleTimeoutMs, signal });
    const isWhole = length === undefined ? file.digest() === sha256 : file.bytes >= length;
    if (isWhole) return;
    const of = length === undefined ? '' : ` of ${length}`;
    const message = `The download is not complete: the response ended after ${file.bytes}${of} bytes. ${ADVICE}`;
    throw new IncompleteResultError('cut', message, file.ids);
  }
}
