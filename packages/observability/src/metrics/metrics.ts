import { PROBLEMS } from '@sluice/contract';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { createKeptResultMetrics, type KeptResultMetrics } from './kept-result-metrics.ts';
import { createMailMetrics, type MailMetrics } from './mail-metrics.ts';
import { createSecurityMetrics, type SecurityMetrics } from './security-metrics.ts';

/** Buckets of `db.client.operation.duration` (OpenTelemetry semantic conventions, database metrics). */
const DATABASE_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];

const OPERATION_LABELS = ['db_system_name', 'db_operation_name', 'db_response_status_code', 'error_type'] as const;

/** Connections of the pool that serves requests. */
interface DatabaseConnections {
  readonly used: number;
  readonly idle: number;
  readonly max: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/** State that is read at each scrape. */
interface BackEndState {
  backEnds(): Readonly<Record<string, 'ok' | 'down'>>;
  connections(): DatabaseConnections;
}

/** One statement that a database answered or rejected. */
interface DatabaseOperation {
  /** Its first word, such as `SELECT`. */
  readonly name: string;
  readonly seconds: number;
  /** SQLSTATE of a statement that the server rejected. */
  readonly sqlState?: string;
  /** SQLSTATE, code of the system or class of the failure. */
  readonly errorType?: string;
}

interface BackEndMetrics {
  readonly databaseOperations: Histogram<(typeof OPERATION_LABELS)[number]>;
  databaseOperationEnded(operation: DatabaseOperation): void;
  /** Names where the state of the back ends is read. Until then, the metrics have no values. */
  watchBackEnds(state: BackEndState): void;
}

/** Creates the metrics of what a host needs: its database, and the results of its health checks. */
function createBackEndMetrics(registers: Registry[]): BackEndMetrics {
  let state: BackEndState | undefined;
  const databaseOperations = new Histogram({
    name: 'db_client_operation_duration_seconds',
    help: 'Time from sending a statement to PostgreSQL to its last row',
    labelNames: OPERATION_LABELS,
    buckets: DATABASE_SECONDS,
    registers,
  });
  const backEndUp: Gauge<'back_end'> = new Gauge({
    name: 'sluice_back_end_up',
    help: '1 while a back end passes its health check, otherwise 0',
    labelNames: ['back_end'],
    registers,
    collect() {
      for (const [name, result] of Object.entries(state?.backEnds() ?? {})) {
        this.set({ back_end: name }, result === 'ok' ? 1 : 0);
      }
    },
  });
  backEndUp.reset();
  createConnectionGauges(registers, () => state?.connections());
  return {
    databaseOperations,
    databaseOperationEnded({ name, seconds, sqlState, errorType }) {
      databaseOperations.observe(
        {
          db_system_name: 'postgresql',
          db_operation_name: name,
          ...(sqlState === undefined ? {} : { db_response_status_code: sqlState }),
          ...(errorType === undefined ? {} : { error_type: errorType }),
        },
        seconds,
      );
    },
    watchBackEnds(watched) {
      state = watched;
    },
  };
}

function createConnectionGauges(registers: Registry[], read: () => DatabaseConnections | undefined): void {
  new Gauge({
    name: 'sluice_database_connections',
    help: 'Open connections of the pool that serves requests, by state: used or idle',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'used' }, read()?.used ?? 0);
      this.set({ state: 'idle' }, read()?.idle ?? 0);
    },
  });
  new Gauge({
    name: 'sluice_database_connections_max',
    help: 'Maximum number of connections of that pool (DATABASE_CONNECTIONS)',
    registers,
    collect() {
      this.set(read()?.max ?? 0);
    },
  });
  new Gauge({
    name: 'sluice_database_requests_waiting',
    help: 'Statements waiting for a connection of that pool',
    registers,
    collect() {
      this.set(read()?.waiting ?? 0);
    },
  });
}

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

export interface Metrics
  extends HttpMetrics,
    QueryMetrics,
    SecurityMetrics,
    BackEndMetrics,
    MailMetrics,
    KeptResultMetrics {
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
    ...createMailMetrics(registers),
    ...createKeptResultMetrics(registers),
  };
}
