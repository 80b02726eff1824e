import { randomBytes } from 'node:crypto';

/** Hop of a W3C trace. */
export interface Trace {
  /** 32 hex digits, the same in all hops. */
  readonly traceId: string;
  /** 16 hex digits: our own span. */
  readonly spanId: string;
  /** Span of the caller. Absent if the trace starts here. */
  readonly parentId?: string;
  readonly sampled: boolean;
  /** Header for outgoing requests. */
  readonly traceparent: string;
}

/** The span of a traceparent header. */
export interface RemoteSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

// W3C Trace Context section 3.2: version ff is invalid, later versions may append fields, all-zero ids are invalid.
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const ZEROS = /^0+$/;

/** Reads a traceparent header. Returns undefined if it is absent or malformed. */
export function parseTraceparent(header: string | undefined): RemoteSpan | undefined {
  const match = header === undefined ? null : TRACEPARENT.exec(header);
  if (match === null) return undefined;
  const [, version = '', traceId = '', spanId = '', flags = '', rest] = match;
  if (ZEROS.test(traceId) || ZEROS.test(spanId)) return undefined;
  if (version === '00' && rest !== undefined) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Writes the traceparent header of a span. */
export const formatTraceparent = ({ traceId, spanId, sampled }: RemoteSpan): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** Continues the caller's trace with a new span. Starts a new trace if the header is absent or malformed. */
export function continueTrace(header: string | undefined): Trace {
  const parent = parseTraceparent(header);
  // One call for both ids, because each call is a system call.
  const random = randomBytes(24).toString('hex');
  const span = {
    traceId: parent?.traceId ?? random.slice(16),
    spanId: random.slice(0, 16),
    sampled: parent?.sampled ?? false,
  };
  return {
    ...span,
    ...(parent === undefined ? {} : { parentId: parent.spanId }),
    traceparent: formatTraceparent(span),
  };
}
