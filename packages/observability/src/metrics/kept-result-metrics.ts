import { Counter, type Registry } from 'prom-client';

const NOT_KEPT_REASONS = ['not_recorded', 'store_failed', 'store_slow', 'tenant_limit', 'worker'] as const;
/** `worker`: the worker could not write the stored rows, for example because one of them is too large. */
export type ResultNotKeptReason = (typeof NOT_KEPT_REASONS)[number];

export interface KeptResultMetrics {
  readonly resultsKept: Counter;
  readonly keptBytes: Counter;
  /** Has a value for every reason from the start: Prometheus sees no increase in a series that begins with 1. */
  readonly resultsNotKept: Counter<'reason'>;
  readonly resultsRemoved: Counter;
}

/** Creates the metrics of the results that a host keeps and removes. */
export function createKeptResultMetrics(registers: Registry[]): KeptResultMetrics {
  const resultsNotKept = new Counter({
    name: 'sluice_results_not_kept_total',
    help: 'Complete results that could not be kept, by reason: record, store, limit of the tenant, or worker',
    labelNames: ['reason'],
    registers,
  });
  for (const reason of NOT_KEPT_REASONS) resultsNotKept.inc({ reason }, 0);
  return {
    resultsKept: new Counter({ name: 'sluice_results_kept_total', help: 'Results that were kept', registers }),
    keptBytes: new Counter({
      name: 'sluice_kept_bytes_total',
      help: 'Bytes of results that were kept, compressed and encrypted',
      registers,
    }),
    resultsNotKept,
    resultsRemoved: new Counter({
      name: 'sluice_results_removed_total',
      help: 'Kept results whose bytes this host removed: expired, deleted, or without a record',
      registers,
    }),
  };
}
