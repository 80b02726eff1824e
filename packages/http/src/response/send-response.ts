import { ProblemError } from '@sluice/contract';
import type { Exchange } from '../model/exchange.ts';
import type { BodyResponse, RouteResponse, StreamResponse } from '../model/route-response.ts';
import { type ContentCoding, chooseCoding, isCompressible } from './content-coding.ts';
import { endConnection } from './end-connection.ts';
import { sendStream } from './send-stream.ts';
import type { UnreadResponses } from './unread-responses.ts';

const STALLED = 'The client stopped reading for too long.';
/** Maximum delay between the time limit and the cut. */
const CHECK_MS_MAX = 250;
const CHECKS_MIN = 4;

/**
 * Aborts the request of a client that reads no byte for `stallMs`. Only Node knows when the kernel accepts part of a write: it emits
 * `timeout` if nothing was accepted since its previous check. So Node checks often, and consecutive checks without progress are
 * counted. A slow reader is not cut, and neither is a stream without data. Time is not measured, because a host that was itself
 * delayed cannot know what its client would have read.
 */
function abortOnStall({ res, controller }: Exchange, stallMs: number): void {
  const checkMs = Math.ceil(Math.min(CHECK_MS_MAX, stallMs / CHECKS_MIN));
  let isStalled = false;
  let stalledChecks = 0;
  let nextCheck: NodeJS.Timeout | undefined;
  const scheduleCheck = (): void => {
    isStalled = false;
    // Node's check runs before ours: timers of the same length run in the order in which they were set.
    res.socket?.setTimeout(checkMs);
    nextCheck = setTimeout(check, checkMs);
  };
  const check = (): void => {
    const isWaiting = res.writableNeedDrain || res.writableEnded;
    stalledChecks = isStalled && isWaiting ? stalledChecks + 1 : 0;
    if (stalledChecks * checkMs < stallMs) {
      scheduleCheck();
    } else {
      controller.abort(new ProblemError('query_cancelled', STALLED));
      res.destroy();
    }
  };
  res.on('timeout', () => {
    isStalled = true;
  });
  // If the client disconnected while the handler ran, the response is closed already and 'close' is not emitted again.
  if (res.closed) return;
  res.once('close', () => clearTimeout(nextCheck));
  scheduleCheck();
}

function start(exchange: Exchange, answer: RouteResponse): void {
  const { req, res } = exchange;
  endConnection(req, res);
  res.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) res.setHeader(name, value);
}

/** Whether a request changed nothing, so that it may still be rejected when its response exists. */
const isRead = ({ route }: Exchange): boolean =>
  route?.operation.method === 'GET' && route.operation.hasEffect !== true;

function sendBody(exchange: Exchange, answer: BodyResponse, unread: UnreadResponses): void {
  const { res, req, principal } = exchange;
  const bytes = answer.body?.length ?? 0;
  if (principal !== undefined) {
    // The response to a change says that it was made, and is sent in any case.
    if (isRead(exchange)) unread.admit(principal, bytes);
    const remove = unread.add(principal, bytes);
    void exchange.closed.then(remove);
  }
  start(exchange, answer);
  if (answer.body !== undefined) res.setHeader('content-length', answer.body.length);
  else if (answer.status !== 204 && answer.status !== 304) res.setHeader('content-length', 0);
  res.end(req.method === 'HEAD' ? undefined : answer.body);
}

/** Chooses the coding of a compressible body, and sets Vary for caches. A body with a length has none: its ranges are those of the file. */
function codingFor({ req, res }: Exchange, answer: StreamResponse): ContentCoding | undefined {
  if (answer.headers['content-length'] !== undefined) return undefined;
  if (!isCompressible(String(answer.headers['content-type']))) return undefined;
  res.setHeader('vary', 'Origin, Accept-Encoding');
  return chooseCoding(req.get('accept-encoding'));
}

interface SendOptions {
  /** Time after which a client that reads nothing is cut. */
  readonly stallMs: number;
  readonly unread: UnreadResponses;
}

/** Sends a response. Returns when it is complete, cut, or closed by the client. */
export async function sendResponse(
  exchange: Exchange,
  answer: RouteResponse,
  { stallMs, unread }: SendOptions,
): Promise<void> {
  const { req, res, closed } = exchange;
  abortOnStall(exchange, stallMs);
  if (answer.kind === 'body') {
    sendBody(exchange, answer, unread);
    return;
  }
  exchange.problemBody = answer.problemBody;
  exchange.logsFailures = answer.logsFailures;
  const queryId = answer.headers['x-query-id'];
  // Clients find the receipt by it, also if the response fails.
  if (queryId !== undefined) res.setHeader('x-query-id', queryId);
  const withoutBody = req.method === 'HEAD';
  const coding = codingFor(exchange, answer);
  const begin = (): void => {
    start(exchange, answer);
    if (coding !== undefined) res.setHeader('content-encoding', coding);
  };
  await sendStream({ res, answer, closed, withoutBody, coding, start: begin });
}
