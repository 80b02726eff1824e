import { asProblem, type CredentialKind, PROBLEMS, type ProblemCode, ProblemError } from '@sluice/contract';
import type { Metrics } from '@sluice/observability';
import type { Request } from 'express';
import type { Exchange } from '../model/exchange.ts';
import type { ExternalLoginAddresses } from '../model/external-login.ts';
import type { ProblemPage } from '../model/problem-page.ts';
import type { BodyResponse } from '../model/route-response.ts';
import { endConnection } from './end-connection.ts';

/** Codes that RFC 6749 section 5.2 summarizes as `invalid_request`. */
const MALFORMED: readonly ProblemCode[] = [
  'invalid_request',
  'malformed_json',
  'ambiguous_credentials',
  'payload_too_large',
  'unsupported_media_type',
];

const errorOf = (code: ProblemCode): string => {
  if (MALFORMED.includes(code)) return 'invalid_request';
  // Codes of section 4.1.2.1, which clients know.
  if (code === 'internal') return 'server_error';
  // 403 here, but 400 in a response of the token endpoint, so it has a code of its own.
  if (code === 'grant_denied') return 'access_denied';
  return code === 'service_unavailable' || code === 'audit_unavailable' || code === 'server_shutdown'
    ? 'temporarily_unavailable'
    : code;
};

/** Converts a problem to the error JSON of RFC 6749 section 5.2. */
function oauthProblem(problem: ProblemError): { error: string; error_description: string } {
  const details = problem.status >= 500 ? [] : (problem.details ?? []);
  // The message already contains the first violation.
  const further = details.filter(({ message }) => !problem.message.includes(message));
  const text = [problem.message, ...further.map(({ path, message }) => `${path}: ${message}.`)].join(' ');
  // The grammar of error_description: printable ASCII without the double quote and the backslash.
  return { error: errorOf(problem.code), error_description: text.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'") };
}

const REALM = 'realm="sluice"';

/** Challenge for a client that tried Basic: the scheme that it used (RFC 6749 section 5.2). */
const BASIC_CHALLENGE = `Basic ${REALM}, charset="UTF-8"`;

/** Challenge for operator operations, which need the OPERATOR_TOKEN of the deployment. */
const OPERATOR_CHALLENGE = 'Bearer realm="sluice operator"';

/**
 * Returns the values of WWW-Authenticate for a 401 (RFC 9110 section 11.6.1). Basic is omitted for scripts in a browser, which would
 * open its own password dialog. `idtoken` has no registered scheme, so it is stated as Bearer with the name of the header. Bearer names
 * the metadata that leads to the authorization server (RFC 9728 section 5.1), and a login in a browser as drivers of Trino read it: JDBC reads
 * each challenge, while the Python driver takes the first pair of each name from all of them.
 */
function challengesFor(
  accepted: readonly CredentialKind[],
  req: Request,
  { resourceMetadata, externalLogin }: Challenged,
): string[] {
  const ofScript = req.get('sec-fetch-mode') !== undefined;
  const metadata = resourceMetadata === undefined ? '' : `, resource_metadata="${resourceMetadata(req)}"`;
  const login =
    externalLogin === undefined
      ? ''
      : `, x_redirect_server="${externalLogin.redirectUrl}", x_token_server="${externalLogin.tokenUrl}"`;
  const bearer = accepted.includes('bearer')
    ? `Bearer ${REALM}${metadata}${login}`
    : `Bearer ${REALM}, header="idtoken"`;
  return accepted.includes('basic') && !ofScript ? [BASIC_CHALLENGE, bearer] : [bearer];
}

const INTERNAL = asProblem(undefined).message;
const RETRY_AFTER_SECONDS = 1;

function problemJson(problem: ProblemError, requestId: string): object {
  const base = { error: problem.code, message: problem.message };
  if (problem.status >= 500) return { ...base, request_id: requestId };
  return { ...base, request_id: requestId, details: problem.details, location: problem.location };
}

/** Returns what callers may know of a problem. */
const withoutCause = (problem: ProblemError): ProblemError =>
  problem.code === 'internal' ? new ProblemError('internal', INTERNAL) : problem;

function presentProblem({ route, requestId, problemBody }: Exchange, problem: ProblemError): object {
  const shown = withoutCause(problem);
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

function setHeaders(exchange: Exchange, problem: ProblemError, challenged: Challenged): void {
  const { req, res, route } = exchange;
  res.setHeader('cache-control', 'no-store');
  res.setHeader('content-type', 'application/json');
  if (problem.status === 401) {
    const usedBasic = problem.code === 'invalid_client' && /^basic /i.test(req.get('authorization') ?? '');
    const ofRoute =
      route?.operation.operatorOnly === true
        ? OPERATOR_CHALLENGE
        : challengesFor(route?.operation.credentials ?? [], req, challenged);
    res.setHeader('www-authenticate', usedBasic ? BASIC_CHALLENGE : ofRoute);
  }
  if (problem.status === 429 || problem.status === 503) {
    res.setHeader('retry-after', String(problem.retryAfterSeconds ?? RETRY_AFTER_SECONDS));
  }
}

interface SendProblemOptions {
  readonly metrics: Metrics;
  /** Default: the error JSON for browsers too. */
  readonly problemPage?: ProblemPage | undefined;
  /** Returns the address of the metadata of this host. Default: it has none. */
  readonly resourceMetadata?: ((req: Request) => string) | undefined;
  /** Login in a browser that a 401 names. Default: none. */
  readonly externalLogin?: ExternalLoginAddresses | undefined;
}

/** Contents of a 401 besides the schemes. */
type Challenged = Pick<SendProblemOptions, 'resourceMetadata' | 'externalLogin'>;

/** Returns the page of a problem, if a browser asks for one and the operation has one for every problem. */
function pageOf(
  exchange: Exchange,
  problem: ProblemError,
  problemPage: ProblemPage | undefined,
): BodyResponse | undefined {
  const { req, route, requestId } = exchange;
  const isAsked = route?.operation.pages === 'any' && req.get('accept')?.includes('text/html') === true;
  if (!isAsked || problemPage === undefined) return undefined;
  const page = problemPage(withoutCause(problem), { headers: { get: (name) => req.get(name) }, requestId });
  return page.kind === 'body' ? page : undefined;
}

const HEADERS_OF_SUCCESS = [
  'accept-ranges',
  'content-disposition',
  'content-length',
  'content-range',
  'etag',
  'repr-digest',
  'x-accel-buffering',
];

/** Sends a problem in the format of the operation. If the headers were already sent, cuts the connection. */
export function sendProblem(exchange: Exchange, thrown: unknown, options: SendProblemOptions): void {
  const { metrics, problemPage } = options;
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
  for (const name of HEADERS_OF_SUCCESS) res.removeHeader(name);
  setHeaders(exchange, problem, options);
  endConnection(exchange.req, res);
  const page = pageOf(exchange, problem, problemPage);
  for (const [name, value] of Object.entries(page?.headers ?? {})) res.setHeader(name, value);
  const bytes = Buffer.from(page?.body ?? JSON.stringify(presentProblem(exchange, problem)));
  res.statusCode = problem.status;
  res.setHeader('content-length', bytes.length);
  res.end(bytes);
}
