import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  readonly registry: Registry;
  /** Labels: route (the template, because paths are unbounded), method, status. */
  readonly httpRequests: Counter<'route' | 'method' | 'status'>;
  /** Seconds until the last byte was handed to the operating system, or the client disconnected. */
  readonly httpDuration: Histogram<'route' | 'method'>;
  readonly httpRequestsRunning: Gauge;
  /** Requests whose client disconnected before the end. */
  readonly clientsGone: Counter<'route'>;
  /** Connections closed at once because of `CONNECTIONS_MAX`. */
  readonly connectionsDropped: Counter;
  readonly problems: Counter<'code'>;
  readonly queriesRunning: Gauge;
  readonly queriesQueued: Gauge;
  /** Labels: final state in lower case, and format. */
  readonly queriesEnded: Counter<'state' | 'format'>;
  readonly queryDuration: Histogram<'format'>;
  readonly resultRows: Counter;
  readonly resultBytes: Counter;
  /** Label: event such as `login` or `login_failed`. */
  readonly authentications: Counter<'event'>;
  /** Passwords and secrets that were hashed and compared. Labels: `password`, `basic` or `client_secret`; `right` or `wrong`. */
  readonly secretChecks: Counter<'method' | 'outcome'>;
  readonly accessDenied: Counter<'permission'>;
  readonly auditFailures: Counter;
}

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 1800];

function httpMetrics(registers: Registry[]) {
  return {
    httpRequests: new Counter({
      name: 'sluice_http_requests_total',
      help: 'HTTP requests completed',
      labelNames: ['route', 'method', 'status'],
      registers,
    }),
    httpDuration: new Histogram({
      name: 'sluice_http_request_duration_seconds',
      help: 'Time from the request to the last byte of the response',
      labelNames: ['route', 'method'],
      buckets: SECONDS,
      registers,
    }),
    httpRequestsRunning: new Gauge({
      name: 'sluice_http_requests_running',
      help: 'HTTP requests being served',
      registers,
    }),
    clientsGone: new Counter({
      name: 'sluice_http_clients_gone_total',
      help: 'Requests whose client disconnected before the end of the response',
      labelNames: ['route'],
      registers,
    }),
    connectionsDropped: new Counter({
      name: 'sluice_http_connections_dropped_total',
      help: 'Connections closed at once because of the connection limit',
      registers,
    }),
    problems: new Counter({
      name: 'sluice_problems_total',
      help: 'Error responses, by code',
      labelNames: ['code'],
      registers,
    }),
  } satisfies Partial<Metrics>;
}

function queryMetrics(registers: Registry[]) {
  return {
    queriesRunning: new Gauge({ name: 'sluice_queries_running', help: 'Queries running now', registers }),
    queriesQueued: new Gauge({ name: 'sluice_queries_queued', help: 'Queries waiting for a worker', registers }),
    queriesEnded: new Counter({
      name: 'sluice_queries_ended_total',
      help: 'Queries ended, by state and format',
      labelNames: ['state', 'format'],
      registers,
    }),
    queryDuration: new Histogram({
      name: 'sluice_query_duration_seconds',
      help: 'Time from admission to the end of the result',
      labelNames: ['format'],
      buckets: SECONDS,
      registers,
    }),
    resultRows: new Counter({ name: 'sluice_result_rows_total', help: 'Rows sent', registers }),
    resultBytes: new Counter({ name: 'sluice_result_bytes_total', help: 'Uncompressed bytes of results', registers }),
  } satisfies Partial<Metrics>;
}

function securityMetrics(registers: Registry[]) {
  return {
    authentications: new Counter({
      name: 'sluice_authentications_total',
      help: 'Logins, tokens, refreshes and logouts',
      labelNames: ['event'],
      registers,
    }),
    secretChecks: new Counter({
      name: 'sluice_secret_checks_total',
      help: 'Passwords and client secrets that were hashed and compared',
      labelNames: ['method', 'outcome'],
      registers,
    }),
    accessDenied: new Counter({
      name: 'sluice_access_denied_total',
      help: 'Authenticated requests rejected for lack of a permission',
      labelNames: ['permission'],
      registers,
    }),
    auditFailures: new Counter({
      name: 'sluice_audit_failures_total',
      help: 'Audit records that could not be written',
      registers,
    }),
  } satisfies Partial<Metrics>;
}

/** Creates the metrics of one host in a separate registry, because one process can run two hosts. Includes event-loop delay and memory. */
export function createMetrics(service: string): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, prefix: 'sluice_' });
  const registers = [registry];
  return { registry, ...httpMetrics(registers), ...queryMetrics(registers), ...securityMetrics(registers) };
}
