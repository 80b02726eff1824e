import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** A query takes from a millisecond to `QUERY_TIME`, 30 minutes by default. */
const QUERY_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 1800];

export interface QueryMetrics {
  readonly queriesRunning: Gauge;
  readonly queriesQueued: Gauge;
  /** Labels: final state and code of the failure, both in lower case, and format. A finished query has no `error_type`. */
  readonly queriesEnded: Counter<'state' | 'format' | 'error_type'>;
  readonly queryDuration: Histogram<'format'>;
  readonly resultRows: Counter;
  readonly resultBytes: Counter;
}

/** Creates the metrics of the queries of a host. */
export function createQueryMetrics(registers: Registry[]): QueryMetrics {
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
