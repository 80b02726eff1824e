import {
  asProblem,
  type Operation,
  type Principal,
  ProblemError,
  REFUSED_BODY_BYTES_MAX,
  type Tenant,
} from '@sluice/contract';
import type { Exchange } from '../model/exchange.ts';
import type { RejectedRequest, Route, RouteRequest } from '../model/route.ts';
import type { RouteResponse } from '../model/route-response.ts';
import type { AccountRequests, LeaveShare } from '../request/account-requests.ts';
import type { AnonymousBodies } from '../request/anonymous-bodies.ts';
import { baseUrlOf } from '../request/public-address.ts';
import { type Input, readInput } from '../request/read-input.ts';
import { cookieReader, headerReader } from '../request/readers.ts';
import type { RefusedBodies, RefusedBodiesOfAccount } from '../request/refused-bodies.ts';
import { withLines } from '../request/violation-lines.ts';
import { createClientReader } from '../response/create-client-reader.ts';
import type { UnreadResponses } from '../response/unread-responses.ts';
import type { AppOptions } from './app-options.ts';
import { authorize, isBeyondScope, refuseCrossSite } from './authorize.ts';
import { isReadableByOrigin } from './cors.ts';
import { findPathTenant } from './find-tenant.ts';
import { refusePlainPassword } from './refuse-plain-password.ts';

interface RequestSteps {
  readonly exchange: Exchange;
  readonly route: Route;
  readonly tenantOfHost: Tenant | undefined;
  readonly accountRequests: AccountRequests;
  readonly anonymousBodies: AnonymousBodies;
  readonly refusedBodies: RefusedBodies;
  readonly unread: UnreadResponses;
}

const namesTenant = (operation: Operation): boolean => operation.path.includes('{tenant}');

async function authenticate(
  steps: RequestSteps,
  tenant: Tenant | undefined,
  options: AppOptions,
): Promise<Principal | undefined> {
  const { exchange, route } = steps;
  const { credentials } = route.operation;
  if (credentials.length === 0) return undefined;
  const userAgent = exchange.req.get('user-agent');
  return await options.authenticator.authenticate(exchange.req, credentials, {
    ...(tenant === undefined ? {} : { tenant }),
    ...(userAgent === undefined ? {} : { userAgent }),
    address: addressOf(exchange),
    requestId: exchange.requestId,
    signal: exchange.controller.signal,
  });
}

/** Returns the address of the client. A closed socket has none. */
const addressOf = ({ req }: Exchange): string => req.ip ?? 'unknown';

interface RequestParts {
  readonly caller: { readonly tenant: Tenant | undefined; readonly principal: Principal | undefined };
  readonly leaveShare: LeaveShare;
  readonly input: Omit<Input, 'addLines'>;
}

function toRouteRequest(
  { exchange, route }: RequestSteps,
  options: AppOptions,
  { caller, leaveShare, input }: RequestParts,
): RouteRequest {
  const { req, requestId, span, controller, log } = exchange;
  const request: Omit<RouteRequest, 'tenant' | 'principal' | 'params' | 'query' | 'body' | 'upload'> = {
    operation: route.operation,
    isHead: req.method === 'HEAD',
    requestId,
    trace: { traceId: span.traceId, traceparent: span.traceparent },
    address: addressOf(exchange),
    userAgent: req.get('user-agent'),
    headers: headerReader(req),
    cookies: cookieReader(req),
    origin: req.get('origin'),
    baseUrl: baseUrlOf(req, options, caller.tenant?.name),
    signal: controller.signal,
    leaveShare,
    reader: createClientReader(exchange.res),
    log,
  };
  // The operation determines the types of these six fields, and its schemas have validated them.
  return { ...request, ...caller, ...input } as unknown as RouteRequest;
}

async function guard({ exchange, route }: RequestSteps): Promise<void> {
  const { req, requestId, log } = exchange;
  const { operation } = route;
  await route.guard?.({ operation, headers: headerReader(req), address: addressOf(exchange), requestId, log });
}

/** Calls `onInvalidInput` of the route for a problem of its input, and throws the problem. */
async function recordInvalidInput(
  { exchange, route }: RequestSteps,
  tenant: Tenant | undefined,
  thrown: unknown,
): Promise<never> {
  const { req, requestId } = exchange;
  const request = {
    operation: route.operation,
    tenant,
    address: addressOf(exchange),
    requestId,
    userAgent: req.get('user-agent'),
  };
  // An operation that records this names the tenant in its path.
  if (tenant !== undefined) await route.onInvalidInput?.(request as RejectedRequest, asProblem(thrown));
  throw thrown;
}

async function recordDenial(
  { exchange, route }: RequestSteps,
  { principal, asUser }: { readonly principal: Principal; readonly asUser: string | undefined },
  options: AppOptions,
): Promise<void> {
  const { permission } = route.operation;
  const isMissing = permission !== undefined && !principal.permissions.has(permission);
  try {
    await options.onDenied({
      principal,
      operation: route.operation,
      ...(isMissing ? { permission } : {}),
      ...(isBeyondScope(principal, route.operation) ? { reason: 'scope' } : {}),
      ...(asUser === undefined ? {} : { asUser }),
      requestId: exchange.requestId,
      address: addressOf(exchange),
      userAgent: exchange.req.get('user-agent'),
    });
  } catch (err) {
    options.metrics.auditFailures.inc();
    exchange.log.error({ err }, 'the audit record of a rejected request could not be written');
  }
}

/** Returns the path parameters. One that takes the rest of a path arrives as segments. */
const pathParamsOf = ({ req }: Exchange): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(req.params).map(([name, value]) => [name, Array.isArray(value) ? value.join('/') : value]),
  );

interface AuthenticatedRequest {
  readonly principal: Principal | undefined;
  readonly tenant: Tenant | undefined;
  readonly leaveShare: LeaveShare;
  readonly pathParams: Readonly<Record<string, string>>;
}

/** Runs the steps after authentication. */
async function serveCaller(
  steps: RequestSteps,
  options: AppOptions,
  { principal, tenant, leaveShare, pathParams }: AuthenticatedRequest,
): Promise<RouteResponse> {
  const { exchange, route } = steps;
  const { operation } = route;
  try {
    if (principal !== undefined) {
      // A query can always be cancelled.
      if (operation.method !== 'DELETE') steps.unread.admit(principal);
      authorize(principal, operation);
      await route.admit?.(principal);
    }
    refuseCrossSite(headerReader(exchange.req), isReadableByOrigin(exchange));
    await guard(steps);
    const isKnown = principal !== undefined || operation.operatorOnly === true;
    const anonymousBodies = isKnown ? undefined : steps.anonymousBodies;
    const refusedBodies = principal === undefined ? undefined : steps.refusedBodies.of(principal);
    const { addLines, ...input } = await readInput(operation, exchange, {
      params: pathParams,
      anonymousBodies,
      refusedBodies,
    }).catch((thrown: unknown) => recordInvalidInput(steps, tenant, thrown));
    const request = toRouteRequest(steps, options, { caller: { tenant, principal }, leaveShare, input });
    return await route
      .handle(request)
      .catch((thrown: unknown) => chargeUpload(withLines(thrown, addLines), input, refusedBodies));
  } catch (thrown) {
    const problem = asProblem(thrown);
    if (principal !== undefined && problem.code === 'access_denied')
      await recordDenial(steps, { principal, asUser: problem.asUser }, options);
    throw problem;
  }
}

/** Charge of one upload at most: it is read in small parts, and a person corrects a large file and sends it again. */
const UPLOAD_CHARGE_MAX = REFUSED_BODY_BYTES_MAX / 4;

/** The handler reads an upload, so a refused one is charged here. */
function chargeUpload(
  thrown: unknown,
  { upload }: Pick<Input, 'upload'>,
  refusedBodies: RefusedBodiesOfAccount | undefined,
): never {
  const { status } = asProblem(thrown);
  if (upload !== undefined && (status === 400 || status === 413)) {
    refusedBodies?.add(Math.min(upload.bytesRead(), UPLOAD_CHARGE_MAX));
  }
  throw thrown;
}

/** Wait after which the rights of a caller are read again: they may have changed meanwhile. */
const REVALIDATE_AFTER_MS = 1000;

/**
 * Runs the steps of a request in this order: tenant of the path, caller, share of the account, permission, input, handler. The caller is
 * authenticated before the body is read, so that validation reveals nothing to unauthenticated clients.
 */
export async function handleRequest(steps: RequestSteps, options: AppOptions): Promise<RouteResponse> {
  const { exchange, route, tenantOfHost } = steps;
  const pathParams = pathParamsOf(exchange);
  const tenantOfAddress = namesTenant(route.operation)
    ? await findPathTenant(options.tenants, pathParams['tenant'] ?? '', tenantOfHost)
    : tenantOfHost;
  refusePlainPassword(exchange);
  let principal = await authenticate(steps, tenantOfAddress, options);
  exchange.principal = principal;
  const tenant = principal?.tenant ?? tenantOfAddress;
  exchange.log = exchange.log.child({ tenant: tenant?.name, user: principal?.name });
  if (principal === undefined) {
    return await serveCaller(steps, options, { principal, tenant, leaveShare: () => undefined, pathParams });
  }
  const askedMs = performance.now();
  const leaveShare = await steps.accountRequests.enter(principal, route.operation, exchange.controller.signal);
  try {
    if (performance.now() - askedMs > REVALIDATE_AFTER_MS) {
      principal = await authenticate(steps, tenantOfAddress, options);
      exchange.principal = principal;
    }
    return await serveCaller(steps, options, {
      principal,
      tenant: principal?.tenant ?? tenant,
      leaveShare,
      pathParams,
    });
  } finally {
    leaveShare();
  }
}

/** Rejects a protocol version that the operation does not support, before anything is read. */
export function checkProtocol(exchange: Exchange, operation: Operation): void {
  if (operation.streams === true && exchange.req.httpVersion === '1.0') {
    throw new ProblemError(
      'http_version_not_supported',
      'Use HTTP/1.1: over HTTP/1.0 a client cannot detect a truncated file.',
    );
  }
}
