import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProblemError } from '@sluice/contract';
import { type Logger, type Metrics, SILENT_TRACER, type Tracer } from '@sluice/observability';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Exchange } from '../model/exchange.ts';
import type { Route } from '../model/route.ts';
import type { RouteResponse } from '../model/route-response.ts';
import { createRunningRequests, type RunningRequests } from '../model/running-requests.ts';
import { AccountRequests } from '../request/account-requests.ts';
import { AnonymousBodies } from '../request/anonymous-bodies.ts';
import { tenantNameReader } from '../request/host-name.ts';
import { baseUrlOf, isSecureRequest, requestHostname } from '../request/public-address.ts';
import { RefusedBodies } from '../request/refused-bodies.ts';
import { requestIdOf } from '../request/request-id.ts';
import { receiveSentBody } from '../response/end-connection.ts';
import { SECURITY_HEADERS } from '../response/security-headers.ts';
import { sendProblem } from '../response/send-problem.ts';
import { sendResponse } from '../response/send-response.ts';
import { UnreadResponses } from '../response/unread-responses.ts';
import { type AppOptions, STALL_MS_DEFAULT } from './app-options.ts';
import { beginExternalLogin, namingBrowserLogin } from './begin-external-login.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { type Kernel, refusePath, servePath } from './serve-path.ts';

/** One year, without includeSubDomains: other hosts of the domain are not ours (RFC 6797 section 6.1). */
const HSTS = 'max-age=31536000';

/** Applies to all ports of a name, so that of one port over TLS would take the others of this computer away from its browsers. */
const LOCAL_NAME = /^(?:.+\.)?localhost\.?$/i;

const CLIENT_GONE = 'The client closed the connection.';

/** Opens an exchange: request id, trace, the headers of every response, and the metrics and log line at its end. */
function openExchange(
  req: Request,
  res: Response,
  services: {
    readonly log: Logger;
    readonly metrics: Metrics;
    readonly tracer: Tracer;
    readonly running: RunningRequests;
    readonly isSecure: boolean;
    /** Whether browsers are asked to use https alone for this host name. */
    readonly sendsHsts: boolean;
  },
): Exchange {
  const requestId = requestIdOf(req.get('x-request-id'));
  const span = services.tracer.startRequest(req.get('traceparent'));
  const controller = new AbortController();
  const log = services.log.child({ requestId, traceId: span.traceId });
  res.setHeader('x-request-id', requestId);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) res.setHeader(name, value);
  res.setHeader('vary', 'Origin');
  if (services.sendsHsts) res.setHeader('strict-transport-security', HSTS);
  const startedAt = process.hrtime.bigint();
  const leave = services.running.add(controller);
  services.metrics.httpRequestsRunning.inc();
  const closed = new Promise<void>((resolve) => {
    // The request emits 'close' as soon as its body is read. Only the 'close' of the response reports a disconnected client.
    res.once('close', () => {
      leave();
      if (!res.writableFinished) controller.abort(new ProblemError('query_cancelled', CLIENT_GONE));
      record(exchange, services.metrics, Number(process.hrtime.bigint() - startedAt) / 1e9);
      resolve();
    });
  });
  const exchange: Exchange = {
    req,
    res,
    requestId,
    span,
    controller,
    closed,
    log,
    isSecure: services.isSecure,
    principal: undefined,
    route: undefined,
    problemBody: undefined,
    logsFailures: false,
  };
  return exchange;
}

function record(exchange: Exchange, metrics: Metrics, seconds: number): void {
  const { req, res, route } = exchange;
  metrics.httpRequestsRunning.dec();
  const labels = requestLabels(exchange);
  metrics.httpRequestDuration.observe(labels, seconds);
  endSpan(exchange, labels);
  const level = route?.isProbe === true ? 'debug' : 'info';
  exchange.log[level](
    {
      operation: route?.operation.id,
      queryId: res.getHeader('x-query-id'),
      method: req.method,
      status: res.statusCode,
      durationMs: Math.round(seconds * 1000),
      complete: res.writableFinished,
    },
    'request completed',
  );
}

/** Methods that have a label of their own. Any client can send others, so they share one, as the semantic conventions require. */
const KNOWN_METHODS = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE']);
const OTHER_METHOD = '_OTHER';

/**
 * Labels of `http.server.request.duration` (OpenTelemetry semantic conventions). The route is the template, because paths are unbounded;
 * a request without a route has none.
 */
function requestLabels({ req, res, route, isSecure }: Exchange): Record<string, string> {
  const status = String(res.statusCode);
  const errorType = errorTypeOf(res);
  return {
    http_request_method: KNOWN_METHODS.has(req.method) ? req.method : OTHER_METHOD,
    ...(route === undefined ? {} : { http_route: route.operation.path }),
    http_response_status_code: status,
    url_scheme: isSecure ? 'https' : 'http',
    ...(errorType === undefined ? {} : { error_type: errorType }),
  };
}

/** Returns the status of a server error, or `incomplete_response` if the client left or the host cut the response. */
function errorTypeOf(res: Response): string | undefined {
  if (res.statusCode >= 500) return String(res.statusCode);
  return res.writableFinished ? undefined : 'incomplete_response';
}

/** Ends the span of the request, named by the conventions. It has the facts of the metric, and the id by which the log is found. */
function endSpan({ span, requestId }: Exchange, labels: Record<string, string>): void {
  const route = labels['http_route'];
  span.rename([labels['http_request_method'], route].filter(Boolean).join(' '));
  span.end(
    {
      'http.request.method': labels['http_request_method'],
      'http.route': route,
      'http.response.status_code': Number(labels['http_response_status_code']),
      'url.scheme': labels['url_scheme'],
      'sluice.request_id': requestId,
    },
    labels['error_type'],
  );
}

/** Routes of a host with the kernel, ready for `listen`. */
export interface App {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  readonly lifecycle: Lifecycle;
  readonly running: RunningRequests;
  readonly routes: readonly Route[];
}

const toExpressPath = (path: string, matchesLongerPaths: boolean): string =>
  path.replace(/\{(\w+)\}$/, matchesLongerPaths ? '*$1' : ':$1').replaceAll(/\{(\w+)\}/g, ':$1');

const parametersIn = (path: string): number => path.split('{').length - 1;

const matchesLongerPaths = (routes: readonly Route[]): boolean =>
  routes.some(({ operation }) => operation.matchesLongerPaths === true);

/** Position among the paths: literal ones come before those with parameters, which would match them. */
const rankOf = ([path, routes]: readonly [string, readonly Route[]]): number =>
  matchesLongerPaths(routes) ? Number.POSITIVE_INFINITY : parametersIn(path);

/** Groups routes by path, in the order in which they are matched. */
function groupByPath(routes: readonly Route[]): [string, Route[]][] {
  const byPath = new Map<string, Route[]>();
  for (const route of routes) {
    const { path, method, id } = route.operation;
    const group = byPath.get(path) ?? [];
    if (group.some(({ operation }) => operation.method === method)) {
      throw new Error(`Two routes serve ${method} ${path}; the second is ${id}.`);
    }
    byPath.set(path, [...group, route]);
  }
  return [...byPath].sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : Number(rankOf(a) > rankOf(b))));
}

function createExpress(trustedProxies: readonly string[]): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.set('trust proxy', trustedProxies.length === 0 ? false : [...trustedProxies]);
  return app;
}

/** Returns the function that names the metadata of the host, as the client reaches it; undefined if it has none. */
const resourceMetadataOf = (options: AppOptions): ((req: Request) => string) | undefined =>
  options.resourceMetadataPath === undefined
    ? undefined
    : (req) => `${baseUrlOf(req, options, undefined)}${options.resourceMetadataPath}`;

/**
 * Creates the app of a host. The kernel runs the same steps for every request: request id, tenant, CORS, caller (401), permission
 * (403), input (400), handler, response. Throws if two routes have the same method and path.
 */
export function createApp(options: AppOptions): App {
  const lifecycle = options.lifecycle ?? createLifecycle();
  const running = createRunningRequests();
  const kernel: Kernel = {
    options,
    lifecycle,
    accountRequests: new AccountRequests(options.accountRequests),
    anonymousBodies: new AnonymousBodies(options.anonymousBodyLimits),
    refusedBodies: new RefusedBodies(),
    unread: new UnreadResponses(),
    tenantNameOf: tenantNameReader(options.tenantHostSuffix),
  };
  const { log, metrics, tracer = SILENT_TRACER, stallMs = STALL_MS_DEFAULT, problemPage } = options;
  const resourceMetadata = resourceMetadataOf(options);

  const serve = async (req: Request, res: Response, answerTo: (exchange: Exchange) => Promise<RouteResponse>) => {
    const isSecure = isSecureRequest(req, options);
    const exchange = openExchange(req, res, {
      log,
      metrics,
      tracer,
      running,
      isSecure,
      sendsHsts: isSecure && !LOCAL_NAME.test(requestHostname(req, options)),
    });
    await receiveSentBody(req);
    try {
      await sendResponse(exchange, await answerTo(exchange), { stallMs, unread: kernel.unread });
    } catch (thrown) {
      const externalLogin = await beginExternalLogin(exchange, thrown, kernel);
      const problem = namingBrowserLogin(thrown, externalLogin);
      sendProblem(exchange, problem, { metrics, problemPage, resourceMetadata, externalLogin });
    }
  };

  const app = createExpress(options.trustedProxies ?? []);
  for (const [path, routes] of groupByPath(options.routes)) {
    app.all(toExpressPath(path, matchesLongerPaths(routes)), (req, res) =>
      serve(req, res, (exchange) => servePath(exchange, routes, kernel)),
    );
  }
  const { otherHost } = options;
  for (const { path, matchesLongerPaths = false } of otherHost?.operations ?? []) {
    app.all(toExpressPath(path, matchesLongerPaths), (req, res) =>
      serve(req, res, (exchange) => refusePath(exchange, kernel, otherHost?.name)),
    );
  }
  app.use((req, res) => serve(req, res, (exchange) => refusePath(exchange, kernel)));
  // Express itself fails only if a path cannot be decoded. It recognizes error handlers by their four parameters.
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) =>
    serve(req, res, () => Promise.reject(undecodable(error))),
  );
  return { handler: app, lifecycle, running, routes: options.routes };
}

const undecodable = (error: unknown): unknown =>
  error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400)
    ? new ProblemError('invalid_request', 'The path is not valid percent-encoded UTF-8.')
    : error;
