import { PROBLEMS } from '@sluice/contract';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type BackEndMetrics, createBackEndMetrics } from './back-end-metrics.ts';
import { createSecurityMetrics, type SecurityMetrics } from './security-metrics.ts';

/** A query takes from a millisecond to `QUERY_TIME`, 30 minutes by default. */
const QUERY_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 1800];

interface QueryMetrics {
  readonly queriesRunning: Gauge;
  readonly queriesQueued: Gauge;
  /** Labels: final state and code of the failure, both in lower case, and format. A finished query has no `error_type`. */
  readonly queriesEnded: Counter<'state' | 'format' | 'error_type'>;
  readonly queryDuration: Histogram<'format'>;
  readonly resultRows: Counter;
  readonly resultBytes: Counter;
}

/** Creates the metrics of the queries of a host. */
function createQueryMetrics(registers: Registry[]): QueryMetrics {
  return {
    queriesRunning: new Gauge({ name: 'sluice_queries_running', help: 'Queries running now', registers }),
    queriesQueued: new Gauge({ name: 'sluice_queries_queued', help: 'Queries waiting for a worker', registers }),
    queriesEnded: new Counter({
      name: 'sluice_queries_ended_total',
      help: 'Queries ended, by state, format and code of the failure',
      labelNames: ['state', 'format', 'error_type'],
      registers,
    }),
    queryDuration: new Histogram({
      name: 'sluice_query_duration_seconds',
      help: 'Time from admission to the end of the result',
      labelNames: ['format'],
      buckets: QUERY_SECONDS,
      registers,
    }),
    resultRows: new Counter({ name: 'sluice_result_rows_total', help: 'Rows sent', registers }),
    resultBytes: new Counter({ name: 'sluice_result_bytes_total', help: 'Uncompressed bytes of results', registers }),
  };
}

/** Buckets of `http.server.request.duration` (OpenTelemetry semantic conventions, HTTP metrics). */
const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

const REQUEST_LABELS = [
  'http_request_method',
  'http_route',
  'http_response_status_code',
  'url_scheme',
  'error_type',
] as const;

interface HttpMetrics {
  /** Seconds until the last byte was handed to the operating system, or the connection was closed. */
  readonly httpRequestDuration: Histogram<(typeof REQUEST_LABELS)[number]>;
  readonly httpRequestsRunning: Gauge;
  /** Connections closed at once because of `CONNECTIONS_MAX`. */
  readonly connectionsDropped: Counter;
  /** Has a value for every code from the start: Prometheus sees no increase in a series that begins with 1. */
  readonly problems: Counter<'code'>;
}

/** Creates the metrics of a host's HTTP server. */
function createHttpMetrics(registers: Registry[]): HttpMetrics {
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

export interface Metrics extends HttpMetrics, QueryMetrics, SecurityMetrics, BackEndMetrics {
  readonly registry: Registry;
}

/**
 * Creates the metrics of one host in a separate registry, because one process can run two hosts. Includes event-loop delay and memory.
 * The label is not `service`: Prometheus on Kubernetes gives each target a label of that name, and would rename ours.
 */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service_name: service });
  collectDefaultMetrics({ register: registry, prefix: 'sluice_' });
  const registers = [registry];
  return {
    registry,
    ...createHttpMetrics(registers),
    ...createQueryMetrics(registers),
    ...createSecurityMetrics(registers),
    ...createBackEndMetrics(registers),
  };
}
