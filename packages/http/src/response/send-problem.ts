import { asProblem, PROBLEMS, ProblemError } from '@sluice/contract';
import type { Metrics } from '@sluice/observability';
import type { Exchange } from '../model/exchange.ts';
import { BASIC_CHALLENGE, challengesFor, OPERATOR_CHALLENGE } from './challenge.ts';
import { endConnection } from './end-connection.ts';
import { oauthProblem } from './oauth-problem.ts';

const INTERNAL = asProblem(undefined).message;
const RETRY_AFTER_SECONDS = 1;

function problemJson(problem: ProblemError, requestId: string): object {
  const base = { error: problem.code, message: problem.message };
  if (problem.status >= 500) return { ...base, request_id: requestId };
  return { ...base, request_id: requestId, details: problem.details, location: problem.location };
}

function presentProblem({ route, requestId, problemBody }: Exchange, problem: ProblemError): object {
  const shown = problem.code === 'internal' ? new ProblemError('internal', INTERNAL) : problem;
  if (problemBody !== undefined) return problemBody(shown);
  return route?.operation.oauthErrors === true ? oauthProblem(shown) : problemJson(shown, requestId);
}

function logProblem(exchange: Exchange, problem: ProblemError): void {
  const { logLevel } = PROBLEMS[problem.code];
  const fields = { problem: problem.code, operation: exchange.route?.operation.id };
  // A rejected request is logged without stack and message: the stack is useless, and the message of an engine repeats the
  // caller's SQL and data, which belong into the audit log only. A server error is logged with both and its cause.
  if (problem.status >= 500) exchange.log[logLevel]({ ...fields, err: problem }, problem.message);
  else exchange.log[logLevel](fields, 'request rejected');
}

function setHeaders(exchange: Exchange, problem: ProblemError): void {
  const { req, res, route } = exchange;
  res.setHeader('cache-control', 'no-store');
  res.setHeader('content-type', 'application/json');
  if (problem.status === 401) {
    const usedBasic = problem.code === 'invalid_client' && /^basic /i.test(req.get('authorization') ?? '');
    const ofRoute =
      route?.operation.operatorOnly === true
        ? OPERATOR_CHALLENGE
        : challengesFor(route?.operation.credentials ?? [], req);
    res.setHeader('www-authenticate', usedBasic ? BASIC_CHALLENGE : ofRoute);
  }
  if (problem.status === 429 || problem.status === 503) {
    res.setHeader('retry-after', String(problem.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  }
}

/** Sends a problem in the format of the operation. If the headers were already sent, cuts the connection. */
export function sendProblem(exchange: Exchange, thrown: unknown, metrics: Metrics): void {
  const { res } = exchange;
  const problem = asProblem(thrown);
  if (!exchange.logsFailures) logProblem(exchange, problem);
  if (res.destroyed || res.writableEnded) return;
  metrics.problems.inc({ code: problem.code });
  if (res.headersSent) {
    res.destroy();
    return;
  }
  // Headers that the handler set for its own response do not apply to the problem.
  for (const name of ['content-disposition', 'content-length', 'etag', 'x-accel-buffering']) res.removeHeader(name);
  setHeaders(exchange, problem);
  endConnection(exchange.req, res);
  const body = presentProblem(exchange, problem);
  res.statusCode = problem.status;
  const bytes = Buffer.from(JSON.stringify(body));
  res.setHeader('content-length', bytes.length);
  res.end(bytes);
}
