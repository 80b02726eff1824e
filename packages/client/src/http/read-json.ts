import { ConnectionError, ResponseError } from '../errors.ts';
import { findViolation } from '../operations/check-answer.ts';

const MIB = 1024 * 1024;
/** Longest JSON of a successful response. */
export const ANSWER_BYTES_MAX = 64 * MIB;
/** Longest error, event, line and object: each is held as a whole. Rows of results have no limit. */
export const PART_BYTES_MAX = 16 * MIB;

/** Returns the host of a response. One that a function of the caller made has no URL. */
export const hostOf = ({ url }: Response): string => (URL.canParse(url) ? new URL(url).host : 'The host');

interface ReadLimits {
  readonly bytesMax: number;
  /** Time limit until the end of the body in milliseconds. */
  readonly timeoutMs: number;
}

/** Creates the error for a successful response that is not what the contract says. */
function invalidAnswer(response: Response, what: string, cause?: unknown): ResponseError {
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const message = `The server's answer is not valid: ${what}.`;
  return new ResponseError('unexpected_response', message, { status: response.status, requestId, cause });
}

/**
 * Reads a body as text, and cancels it when it is too long or takes too long.
 * @throws ResponseError, ConnectionError `timeout`, or what the body rejects with when it is cut or is not UTF-8
 */
export async function readText(response: Response, { bytesMax, timeoutMs }: ReadLimits): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reader.cancel().catch(() => undefined);
  }, timeoutMs);
  try {
    let text = '';
    for (let bytes = 0; ; ) {
      const { done, value } = await reader.read();
      if (isLate) {
        const message = `${hostOf(response)} did not send its whole answer within ${timeoutMs} ms.`;
        throw new ConnectionError('timeout', message);
      }
      if (done) return text + decoder.decode();
      bytes += value.length;
      if (bytes > bytesMax) throw invalidAnswer(response, `it has more than ${bytesMax / MIB} MiB`);
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => undefined);
  }
}

interface AnswerOptions {
  /** OpenAPI operationId, whose shape the answer must have. */
  readonly operation: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads and checks the JSON of a successful response; undefined for 204.
 * @throws ResponseError `unexpected_response` if it is not what the operation returns, ConnectionError `timeout`
 */
export async function readAnswer(
  response: Response,
  { operation, timeoutMs, signal }: AnswerOptions,
): Promise<unknown> {
  let answer: unknown;
  if (response.status !== 204) {
    try {
      answer = JSON.parse(await readText(response, { bytesMax: ANSWER_BYTES_MAX, timeoutMs }));
    } catch (cause) {
      signal?.throwIfAborted();
      if (cause instanceof ResponseError || cause instanceof ConnectionError) throw cause;
      const what = `${hostOf(response)} did not return valid JSON. Check the URL and the proxies on the way`;
      throw invalidAnswer(response, what, cause);
    }
  }
  const violation = findViolation(operation, answer);
  if (violation === undefined) return answer;
  throw invalidAnswer(
    response,
    `${violation} (${operation}). Check the URL, and that the server is as new as this client`,
  );
}
