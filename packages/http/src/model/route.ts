import type { Operation, Principal, Tenant } from '@sluice/contract';
import type { Logger } from '@sluice/observability';
import type { z } from 'zod';
import type { ClientReader } from './client-reader.ts';
import type { RouteResponse } from './route-response.ts';

/** Reads one header or cookie; undefined where it is absent. Header names are matched without case. */
export interface Reader {
  get(name: string): string | undefined;
}

type OutputOf<S, Absent> = S extends z.ZodType ? z.output<S> : Absent;
type FieldOf<O, Name extends string> = O extends { readonly [key in Name]: infer Field } ? Field : undefined;
type PrincipalOf<O extends Operation> = O['credentials'] extends readonly [] ? undefined : Principal;
type TenantOf<O extends Operation> = O['path'] extends `${string}{tenant}${string}`
  ? Tenant
  : O['credentials'] extends readonly []
    ? Tenant | undefined
    : Tenant;

/** A request that has passed every step before its handler: what is here is known, checked and typed. */
export interface RouteRequest<O extends Operation = Operation> {
  readonly operation: O;
  /** Of the caller; of the host name or path where the operation is open. */
  readonly tenant: TenantOf<O>;
  /** undefined exactly where the operation is open. */
  readonly principal: PrincipalOf<O>;
  readonly params: OutputOf<FieldOf<O, 'params'>, Readonly<Record<string, string>>>;
  readonly query: OutputOf<FieldOf<O, 'query'>, undefined>;
  readonly body: OutputOf<FieldOf<FieldOf<O, 'body'>, 'schema'>, undefined>;
  readonly requestId: string;
  /** W3C trace context to send onward: the caller's trace, our span. */
  readonly traceparent: string;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly headers: Reader;
  readonly cookies: Reader;
  /** The Origin header as it stands. */
  readonly origin: string | undefined;
  /** `https://acme-api.example.com`: scheme and host that the client used, as far as trusted proxies report it. */
  readonly baseUrl: string;
  /**
   * Aborts with a ProblemError as reason: `query_cancelled` when the client is gone or takes no data, `server_shutdown`
   * when the host drains and the grace period is over (the answer may still be ended properly then).
   */
  readonly signal: AbortSignal;
  /** How the client takes the answer. */
  readonly reader: ClientReader;
  /** Carries the request id, the tenant and the user. */
  readonly log: Logger;
}

/** What is known of a request before anything of its input is read. */
export type GuardedRequest = Pick<RouteRequest, 'operation' | 'headers' | 'address' | 'requestId' | 'log'>;

/** An operation with what serves it. */
export interface Route {
  readonly operation: Operation;
  /** Answered in every state of the host and while the tenant store is down; logged at debug level. */
  readonly isProbe?: boolean;
  /** Refuses, by throwing a ProblemError, whom the operation's permission alone cannot tell; runs before the body is read. */
  admit?(caller: Principal): Promise<void>;
  /** Refuses, by throwing a ProblemError, who has no business with an open operation; runs before the body is read. */
  guard?(request: GuardedRequest): Promise<void>;
  handle(request: RouteRequest): Promise<RouteResponse>;
}

/**
 * Attaches a handler to an operation. The handler gets a request that is authenticated, permitted and validated, and answers
 * with a value: it never sees the response. It throws a ProblemError to refuse.
 */
export function route<const O extends Operation>(
  operation: O,
  handle: (request: RouteRequest<O>) => Promise<RouteResponse>,
  admit?: (caller: Principal) => Promise<void>,
): Route {
  // The kernel fills the request from this very operation, so the erased type is the declared one.
  const handled = { operation, handle: handle as unknown as Route['handle'] };
  return admit === undefined ? handled : { ...handled, admit };
}
