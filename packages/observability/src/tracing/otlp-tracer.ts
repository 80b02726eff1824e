import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../logger.ts';
import { formatTraceparent, parseTraceparent } from './trace.ts';
import type { RequestSpan, SpanAttributes, Tracer } from './tracer.ts';

export interface OtlpOptions {
  /** Value of `service.name`. */
  readonly service: string;
  /** Base URL of the collector, without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Share of the traces without a decision of the caller that are recorded, 0 to 1. */
  readonly ratio: number;
  readonly log: Logger;
}

/** A collector that does not respond must not delay the end of a host. */
const SEND_TIMEOUT_MS = 2_000;
const SEND_EVERY_MS = 1_000;
/** `ExportResultCode.SUCCESS` of @opentelemetry/core. */
const SUCCESS = 0;

/** Opens a tracer that sends spans to an OpenTelemetry collector, as JSON over HTTP. */
export function openOtlpTracer(options: OtlpOptions): Tracer {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.service }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.ratio) }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: createExporter(options),
        exportTimeoutMillis: SEND_TIMEOUT_MS,
        scheduledDelayMillis: SEND_EVERY_MS,
      }),
    ],
  });
  const tracer = provider.getTracer('sluice');
  return {
    isOn: true,
    startRequest: (header) => requestSpan(tracer.startSpan('HTTP', { kind: SpanKind.SERVER }, contextOf(header))),
    startSpan(name, { parent, attributes = {}, startedMs }) {
      if (parent === undefined) return { traceparent: undefined, end: () => undefined };
      const start = startedMs === undefined ? {} : { startTime: startedMs };
      return requestSpan(tracer.startSpan(name, { attributes: present(attributes), ...start }, contextOf(parent)));
    },
    [Symbol.asyncDispose]: () => provider.shutdown().catch(() => undefined),
  };
}

function contextOf(traceparent: string | undefined) {
  const parent = parseTraceparent(traceparent);
  if (parent === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, sampled } = parent;
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

const present = (attributes: SpanAttributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Attributes;

function requestSpan(span: Span): RequestSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    traceparent: formatTraceparent({ traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }),
    rename: (name) => void span.updateName(name),
    end(attributes = {}, errorType, endedMs) {
      span.setAttributes(present(attributes));
      if (errorType !== undefined) {
        span.setAttribute('error.type', errorType);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end(endedMs);
    },
  };
}

/** Logs when the collector cannot be reached, once until it can be reached again. Spans that were not sent are lost. */
function createExporter({ endpoint, headers, log }: OtlpOptions): SpanExporter {
  const url = `${endpoint}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: SEND_TIMEOUT_MS });
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== SUCCESS;
        if (hasFailed && !isFailing) log.warn({ event: 'traces_lost', err: result.error }, 'traces could not be sent');
        isFailing = hasFailed;
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
