export { createEvents, type Events } from './events.ts';
export { createLogger, type Logger } from './logger.ts';
export { describeMetrics } from './metrics/describe-metrics.ts';
export { createMetrics, type Metrics } from './metrics/metrics.ts';
export { startMetricsServer } from './metrics/metrics-server.ts';
export { redactText } from './redaction.ts';
export { continueTrace, type Trace } from './trace.ts';
