import type { Operation, Principal, ProblemError, Tenant, TraceContext } from '@sluice/contract';
import type { Logger } from '@sluice/observability';
import type { z } from 'zod';
import type { ClientReader } from './client-reader.ts';
import type { RouteResponse } from './route-response.ts';
import type { Upload } from './upload.ts';

/** Reads headers or cookies by name. The case of header names is ignored. */
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

/** Request as a handler receives it: authenticated, authorized, validated and typed. */
export interface RouteRequest<O extends Operation = Operation> {
  readonly operation: O;
  /** Only status and headers are sent. The handler of a GET that would start something returns them without starting it. */
  readonly isHead: boolean;
  /** Tenant of the caller. For an anonymous operation: tenant of the host name or path. */
  readonly tenant: TenantOf<O>;
  /** Undefined only for an anonymous operation. */
  readonly principal: PrincipalOf<O>;
  readonly params: OutputOf<FieldOf<O, 'params'>, Readonly<Record<string, string>>>;
  readonly query: OutputOf<FieldOf<O, 'query'>, undefined>;
  readonly body: OutputOf<FieldOf<FieldOf<O, 'body'>, 'schema'>, undefined>;
  readonly upload: O extends { readonly upload: object } ? Upload : undefined;
  readonly requestId: string;
  readonly trace: TraceContext;
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly headers: Reader;
  readonly cookies: Reader;
  /** Origin header, unchanged. */
  readonly origin: string | undefined;
  /** Scheme and host as the client or a trusted proxy reports them: `https://acme-api.example.com`. */
  readonly baseUrl: string;
  /**
   * Aborts with a ProblemError as reason: `query_cancelled` when the client disconnects or stops reading, `server_shutdown`
   * when the grace period of a drain is over (the response can still be ended properly then).
   */
  readonly signal: AbortSignal;
  /**
   * Gives up the place of the request in the share of its account. A handler calls it before it waits long for something other than statements
   * of its own.
   */
  readonly leaveShare: () => void;
  /** Progress of the client that reads the response. */
  readonly reader: ClientReader;
  /** Logger with the request id, the tenant and the user. */
  readonly log: Logger;
}

/** Request before its input is read. */
export type GuardedRequest = Pick<RouteRequest, 'operation' | 'headers' | 'address' | 'requestId' | 'log'>;

/** Request of an anonymous operation whose input was rejected. Its path names the tenant. */
export type RejectedRequest = Pick<RouteRequest, 'operation' | 'tenant' | 'address' | 'requestId' | 'userAgent'>;

/** Operation with its handler. */
export interface Route {
  readonly operation: Operation;
  /** Served in every state of the host and while the tenant store is down. Logged at debug level. */
  readonly isProbe?: boolean;
  /** Authorizes callers beyond the permission of the operation. Throws a ProblemError. Runs before the body is read. */
  admit?(caller: Principal): Promise<void>;
  /** Checks a request of an anonymous operation. Throws a ProblemError. Runs before the body is read. */
  guard?(request: GuardedRequest): Promise<void>;
  /**
   * Records a request of an anonymous operation whose parameters, query string or body are rejected before `handle`. The response waits for
   * it. What it throws is sent instead of the problem.
   */
  onInvalidInput?(request: RejectedRequest, problem: ProblemError): Promise<void>;
  handle(request: RouteRequest): Promise<RouteResponse>;
}

/**
 * Attaches a handler to an operation. The handler receives a request that is authenticated, authorized and validated, and
 * returns a value; it has no access to the response object. It throws a ProblemError to reject the request.
 */
export function route<const O extends Operation>(
  operation: O,
  handle: (request: RouteRequest<O>) => Promise<RouteResponse>,
  admit?: (caller: Principal) => Promise<void>,
): Route {
  // The kernel builds the request from this operation, so the erased type equals the declared one.
  const handled = { operation, handle: handle as unknown as Route['handle'] };
  return admit === undefined ? handled : { ...handled, admit };
}
