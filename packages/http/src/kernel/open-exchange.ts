import { ProblemError } from '@sluice/contract';
import type { Logger, Metrics, Tracer } from '@sluice/observability';
import type { Request, Response } from 'express';
import type { Exchange } from '../model/exchange.ts';
import type { RunningRequests } from '../model/running-requests.ts';
import { requestIdOf } from '../request/request-id.ts';
import { SECURITY_HEADERS } from '../response/security-headers.ts';

/** One year, without includeSubDomains: other hosts of the domain are not ours (RFC 6797 section 6.1). */
const HSTS = 'max-age=31536000';

const CLIENT_GONE = 'The client closed the connection.';

/** Opens an exchange: request id, trace, the headers of every response, and the metrics and log line at its end. */
export function openExchange(
  req: Request,
  res: Response,
  services: {
    readonly log: Logger;
    readonly metrics: Metrics;
    readonly tracer: Tracer;
    readonly running: RunningRequests;
    readonly isSecure: boolean;
  },
): Exchange {
  const requestId = requestIdOf(req.get('x-request-id'));
  const span = services.tracer.startRequest(req.get('traceparent'));
  const controller = new AbortController();
  const log = services.log.child({ requestId, traceId: span.traceId });
  res.setHeader('x-request-id', requestId);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) res.setHeader(name, value);
  res.setHeader('vary', 'Origin');
  if (services.isSecure) res.setHeader('strict-transport-security', HSTS);
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
