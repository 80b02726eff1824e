import type { Principal } from './principal.ts';

/** Authenticated caller of a use-case, with the fields of the request that every audit record has. */
export interface Caller {
  readonly principal: Principal;
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly trace?: TraceContext | undefined;
  /** Gives up the place of the request in the share of its account. Called before a long wait for something other than its own statements. */
  readonly leaveShare?: (() => void) | undefined;
}

/** Trace of a request. */
export interface TraceContext {
  /** 32 hex digits, for the log. */
  readonly traceId: string;
  /** W3C header for outgoing requests. Undefined if the caller sent none and no spans are recorded. */
  readonly traceparent: string | undefined;
}

/** Picks the caller from a request, so that a use-case never receives the request itself. */
export const callerOf = ({ principal, requestId, address, userAgent, trace, leaveShare }: Caller): Caller => ({
  principal,
  requestId,
  address,
  userAgent,
  trace,
  leaveShare,
});
