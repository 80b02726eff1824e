export { type AuthenticationEvent, createEvents, type EventSubject, type Events, type QueryEnd } from './events.ts';
export { createLogger, LOG_LEVELS, type Logger, type LoggerOptions, type LogLevel } from './logger.ts';
export { createMetrics, type Metrics } from './metrics.ts';
export { type MetricsServer, startMetricsServer } from './metrics-server.ts';
export { redact, redactText } from './redaction.ts';
export { continueTrace, type Trace } from './trace.ts';
