export { createEvents, type Events } from './events.ts';
export { createLogger, type Logger } from './logger.ts';
export { describeMetrics } from './metrics/describe-metrics.ts';
export type { ResultNotKeptReason } from './metrics/kept-result-metrics.ts';
export { createMetrics, type Metrics } from './metrics/metrics.ts';
export { startMetricsServer } from './metrics/metrics-server.ts';
export { redactText } from './redaction.ts';
export { openTracer } from './tracing/open-tracer.ts';
export {
  type RequestSpan,
  SILENT_TRACER,
  type Span,
  type SpanAttributes,
  type Tracer,
  traceStep,
} from './tracing/tracer.ts';
