import type { Exchange } from '../model/exchange.ts';
import type { BodyResponse, RouteResponse, StreamResponse } from '../model/route-response.ts';
import { abortOnStall } from './abort-on-stall.ts';
import { type ContentCoding, chooseCoding, isCompressible } from './content-coding.ts';
import { sendStream } from './send-stream.ts';

/** Nothing of ours may be loaded, framed or run by a browser unless the answer says so. */
const CONTENT_SECURITY_POLICY = "default-src 'none'; frame-ancestors 'none'";

function start(exchange: Exchange, answer: RouteResponse): void {
  const { res } = exchange;
  res.statusCode = answer.status;
  res.setHeader('content-security-policy', CONTENT_SECURITY_POLICY);
  for (const [name, value] of Object.entries(answer.headers)) res.setHeader(name, value);
}

function sendBody(exchange: Exchange, answer: BodyResponse): void {
  const { res, req } = exchange;
  start(exchange, answer);
  if (answer.body !== undefined) res.setHeader('content-length', answer.body.length);
  else if (answer.status !== 204) res.setHeader('content-length', 0);
  res.end(req.method === 'HEAD' ? undefined : answer.body);
}

/** What the client asked for, where the body gains by it; caches are told that the answer depends on it. */
function codingFor({ req, res }: Exchange, answer: StreamResponse): ContentCoding | undefined {
  if (!isCompressible(String(answer.headers['content-type']))) return undefined;
  res.setHeader('vary', 'Origin, Accept-Encoding');
  return chooseCoding(req.get('accept-encoding'));
}

/** Sends an answer and returns when it is over: sent whole, cut, or left by its client. */
export async function sendResponse(exchange: Exchange, answer: RouteResponse, stallMs: number): Promise<void> {
  const { req, res, closed } = exchange;
  abortOnStall(exchange, stallMs);
  if (answer.kind === 'body') {
    sendBody(exchange, answer);
    return;
  }
  exchange.problemBody = answer.problemBody;
  const queryId = answer.headers['x-query-id'];
  // It finds the receipt of the query, whatever becomes of the answer.
  if (queryId !== undefined) res.setHeader('x-query-id', queryId);
  const withoutBody = req.method === 'HEAD';
  const coding = codingFor(exchange, answer);
  const begin = (): void => {
    start(exchange, answer);
    if (coding !== undefined) res.setHeader('content-encoding', coding);
  };
  await sendStream({ res, answer, closed, withoutBody, coding, start: begin });
}
