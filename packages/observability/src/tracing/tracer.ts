import { continueTrace, parseTraceparent } from './trace.ts';

/** Facts of a span. Never SQL, values, credentials or paths: traces are read by more people than the audit log. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

interface SpanOptions {
  /** `traceparent` of the span above. Without it, the span is not recorded. */
  readonly parent: string | undefined;
  readonly attributes?: SpanAttributes;
  /** Start, if it was earlier. Milliseconds since 1970. */
  readonly startedMs?: number;
}

/** One step of a trace. */
export interface Span {
  /** Header for requests and spans below this one. Undefined if no trace is recorded or continued. */
  readonly traceparent: string | undefined;
  /** Ends the span; only the first call counts. `errorType` is a code of docs/errors.md, or the status of a response. */
  end(attributes?: SpanAttributes, errorType?: string, endedMs?: number): void;
}

/** Span of a request, which also has the id of its trace for the log. */
export interface RequestSpan extends Span {
  readonly traceId: string;
  /** Sets the name when the route is known. */
  rename(name: string): void;
}

/** Records spans, or nothing while tracing is off. Disposing sends what is left. */
export interface Tracer extends AsyncDisposable {
  readonly isOn: boolean;
  /** Starts the span of a request, below the span of its `traceparent` header. */
  startRequest(header: string | undefined): RequestSpan;
  startSpan(name: string, options: SpanOptions): Span;
}

const nothing = (): void => undefined;

/** Continues traces without recording them. Only a trace that the caller started is passed on. */
export const SILENT_TRACER: Tracer = {
  isOn: false,
  startRequest(header) {
    const { traceId, traceparent } = continueTrace(header);
    const isContinued = parseTraceparent(header) !== undefined;
    return { traceId, traceparent: isContinued ? traceparent : undefined, rename: nothing, end: nothing };
  },
  startSpan: (_name, { parent }) => ({ traceparent: parent, end: nothing }),
  [Symbol.asyncDispose]: async () => undefined,
};

/** Runs a step as a span. A failure ends it with the code of the failure. */
export async function traceStep<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    span.end();
    return result;
  } catch (thrown) {
    span.end({}, errorTypeOf(thrown));
    throw thrown;
  }
}

const errorTypeOf = (thrown: unknown): string => {
  const code: unknown = typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, 'code') : undefined;
  return typeof code === 'string' ? code : 'internal';
};
