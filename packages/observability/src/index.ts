export { createEvents, type Events } from './events.ts';
export { createLogger, type Logger } from './logger.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { startMetricsServer } from './metrics-server.ts';
export { redactText } from './redaction.ts';
export { continueTrace, type Trace } from './trace.ts';
