import { PROBLEMS } from '@sluice/contract';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Buckets of `http.server.request.duration` (OpenTelemetry semantic conventions, HTTP metrics). */
const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

const REQUEST_LABELS = [
  'http_request_method',
  'http_route',
  'http_response_status_code',
  'url_scheme',
  'error_type',
] as const;

export interface HttpMetrics {
  /** Seconds until the last byte was handed to the operating system, or the connection was closed. */
  readonly httpRequestDuration: Histogram<(typeof REQUEST_LABELS)[number]>;
  readonly httpRequestsRunning: Gauge;
  /** Connections closed at once because of `CONNECTIONS_MAX`. */
  readonly connectionsDropped: Counter;
  /** Has a value for every code from the start: Prometheus sees no increase in a series that begins with 1. */
  readonly problems: Counter<'code'>;
}

/** Creates the metrics of a host's HTTP server. */
export function createHttpMetrics(registers: Registry[]): HttpMetrics {
  const problems = new Counter({
    name: 'sluice_problems_total',
    help: 'Error responses, by code',
    labelNames: ['code'],
    registers,
  });
  for (const code of Object.keys(PROBLEMS)) problems.inc({ code }, 0);
  return {
    httpRequestDuration: new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Time from the request to the last byte of the response',
      labelNames: REQUEST_LABELS,
      buckets: HTTP_SECONDS,
      registers,
    }),
    httpRequestsRunning: new Gauge({
      name: 'sluice_http_requests_running',
      help: 'HTTP requests being served',
      registers,
    }),
    connectionsDropped: new Counter({
      name: 'sluice_http_connections_dropped_total',
      help: 'Connections closed at once because of the connection limit',
      registers,
    }),
    problems,
  };
}
