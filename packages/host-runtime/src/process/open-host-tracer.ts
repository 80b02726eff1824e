import type { Secret } from '@sluice/config';
import { type Logger, openTracer, type Tracer } from '@sluice/observability';

interface TraceSettings {
  readonly otlpEndpoint: string | undefined;
  readonly otlpHeaders: Secret | undefined;
  readonly traceRatio: number;
}

interface OpenHostTracerOptions {
  readonly settings: TraceSettings;
  /** Name of the host, such as `sluice-stream`. */
  readonly service: string;
  readonly log: Logger;
}

/** Opens the tracer of a host. The caller disposes of it after everything else, so that the last spans are sent. */
export const openHostTracer = ({ settings, service, log }: OpenHostTracerOptions): Promise<Tracer> =>
  openTracer({
    service,
    endpoint: settings.otlpEndpoint,
    headers: parseOtlpHeaders(settings.otlpHeaders?.reveal() ?? ''),
    ratio: settings.traceRatio,
    log,
  });

const HEADER = /^\s*(?<name>[!#$%&'*+.^_`|~\w-]+)\s*=\s*(?<value>[\x20-\x7e]*?)\s*$/;

/** Parses `name=value,name=value`, with percent-encoded values (OpenTelemetry, OTLP exporter configuration). */
export function parseOtlpHeaders(text: string): Readonly<Record<string, string>> {
  if (text.trim() === '') return {};
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const { name = '', value = '' } = HEADER.exec(pair)?.groups ?? {};
      if (name === '') throw new Error(MALFORMED);
      return [name, decode(value)];
    }),
  );
}

const MALFORMED = 'OTEL_EXPORTER_OTLP_HEADERS must have the form name=value,name=value with percent-encoded values.';

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new Error(MALFORMED);
  }
}
