import { collectDefaultMetrics, Registry } from 'prom-client';
import { type BackEndMetrics, createBackEndMetrics } from './back-end-metrics.ts';
import { createHttpMetrics, type HttpMetrics } from './http-metrics.ts';
import { createQueryMetrics, type QueryMetrics } from './query-metrics.ts';
import { createSecurityMetrics, type SecurityMetrics } from './security-metrics.ts';

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
