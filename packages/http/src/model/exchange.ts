import { ProblemError } from '@sluice/contract';
import { continueTrace, type Logger, type Metrics, type Trace } from '@sluice/observability';
import type { Request, Response } from 'express';
import { requestIdOf } from '../request/request-id.ts';
import type { Route } from './route.ts';
import type { ProblemBody } from './route-response.ts';
import type { RunningRequests } from './running-requests.ts';

/** One request with its response, from the first header to the close of the answer. */
export interface Exchange {
  readonly req: Request;
  readonly res: Response;
  readonly requestId: string;
  readonly trace: Trace;
  readonly controller: AbortController;
  /** Resolves when the answer is over, however it ended. */
  readonly closed: Promise<void>;
  /** Gains the tenant and the user as they become known. */
  log: Logger;
  /** Once the path and method have named one. */
  route: Route | undefined;
  /** Of the answer that is being sent, for a problem that comes before its first byte. */
  problemBody: ProblemBody | undefined;
}

/** One year, of this host alone: what else is in the domain is not ours to decide (RFC 6797 section 6.1). */
const HSTS = 'max-age=31536000';

const CLIENT_GONE = 'The client closed the connection.';

/** Begins an exchange: request id, trace and the headers that every answer has, and what must happen when it is over. */
export function openExchange(
  req: Request,
  res: Response,
  services: {
    readonly log: Logger;
    readonly metrics: Metrics;
    readonly running: RunningRequests;
    readonly isSecure: boolean;
  },
): Exchange {
  const requestId = requestIdOf(req.get('x-request-id'));
  const trace = continueTrace(req.get('traceparent'));
  const controller = new AbortController();
  const log = services.log.child({ requestId, traceId: trace.traceId });
  res.setHeader('x-request-id', requestId);
  res.setHeader('x-content-type-options', 'nosniff');
  res.setHeader('referrer-policy', 'no-referrer');
  res.setHeader('vary', 'Origin');
  if (services.isSecure) res.setHeader('strict-transport-security', HSTS);
  const startedAt = process.hrtime.bigint();
  const leave = services.running.add(controller);
  services.metrics.httpRequestsRunning.inc();
  const closed = new Promise<void>((resolve) => {
    // The request's own 'close' comes as soon as its body is read; only the response's tells of a client that left.
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
    trace,
    controller,
    closed,
    log,
    route: undefined,
    problemBody: undefined,
  };
  return exchange;
}

function record(exchange: Exchange, metrics: Metrics, seconds: number): void {
  const { req, res, route } = exchange;
  const path = route?.operation.path ?? 'none';
  const method = route?.operation.method ?? 'other';
  metrics.httpRequestsRunning.dec();
  metrics.httpRequests.inc({ route: path, method, status: String(res.statusCode) });
  metrics.httpDuration.observe({ route: path, method }, seconds);
  if (!res.writableFinished) metrics.clientsGone.inc({ route: path });
  const level = route?.isProbe === true ? 'debug' : 'info';
  exchange.log[level](
    {
      operation: route?.operation.id,
      method: req.method,
      status: res.statusCode,
      durationMs: Math.round(seconds * 1000),
      complete: res.writableFinished,
    },
    'request answered',
  );
}
