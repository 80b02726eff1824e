import type { OtlpOptions } from './otlp-tracer.ts';
import { SILENT_TRACER, type Tracer } from './tracer.ts';

interface TracerOptions extends Omit<OtlpOptions, 'endpoint'> {
  readonly endpoint: string | undefined;
}

/** Opens the tracer of a host: off without an endpoint. The library is loaded only if it is on. */
export async function openTracer({ endpoint, ...options }: TracerOptions): Promise<Tracer> {
  if (endpoint === undefined) return SILENT_TRACER;
  const { openOtlpTracer } = await import('./otlp-tracer.ts');
  return openOtlpTracer({ endpoint, ...options });
}
