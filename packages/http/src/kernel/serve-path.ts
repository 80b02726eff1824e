import { setTimeout as wait } from 'node:timers/promises';
import { ProblemError, type Tenant } from '@sluice/contract';
import type { Exchange } from '../model/exchange.ts';
import type { Route } from '../model/route.ts';
import { noContent, type RouteResponse } from '../model/route-response.ts';
import type { AccountRequests } from '../request/account-requests.ts';
import type { AnonymousBodies } from '../request/anonymous-bodies.ts';
import { checkHeaderBytes } from '../request/header-bytes.ts';
import { checkHost, type tenantNameReader } from '../request/host-name.ts';
import { requestHost, requestHostname } from '../request/public-address.ts';
import type { RefusedBodies } from '../request/refused-bodies.ts';
import type { UnreadResponses } from '../response/unread-responses.ts';
import type { AppOptions } from './app-options.ts';
import { allowOrigin, allowPreflight, isPreflight } from './cors.ts';
import { findTenant } from './find-tenant.ts';
import { checkProtocol, handleRequest } from './handle-request.ts';
import type { Lifecycle } from './lifecycle.ts';

/** Shared dependencies of all paths. */
export interface Kernel {
  readonly options: AppOptions;
  readonly lifecycle: Lifecycle;
  readonly accountRequests: AccountRequests;
  readonly anonymousBodies: AnonymousBodies;
  readonly refusedBodies: RefusedBodies;
  readonly unread: UnreadResponses;
  readonly tenantNameOf: ReturnType<typeof tenantNameReader>;
}

/** Part of the 200 ms that a probe may take. */
const PROBE_LOOKUP_MS = 100;

/** Settles as `lookup` does, or resolves to undefined if that takes longer than a probe can wait. */
async function withinProbeTime<T>(lookup: Promise<T>): Promise<T | undefined> {
  const settled = new AbortController();
  const late = wait(PROBE_LOOKUP_MS, undefined, { signal: settled.signal }).catch(() => undefined);
  try {
    return await Promise.race([lookup, late]);
  } finally {
    settled.abort();
  }
}

async function findHostTenant(exchange: Exchange, kernel: Kernel): Promise<Tenant | undefined> {
  const name = kernel.tenantNameOf(requestHostname(exchange.req, kernel.options));
  if (name === undefined) return undefined;
  const found = findTenant(kernel.options.tenants, name);
  try {
    return await (exchange.route?.isProbe === true ? withinProbeTime(found) : found);
  } catch (thrown) {
    const isOutage = !(thrown instanceof ProblemError) || thrown.status >= 500;
    // A probe reports the state of this process, not of the tenant store.
    if (isOutage && exchange.route?.isProbe === true) return undefined;
    throw thrown;
  }
}

function checkOwnName(hostname: string, { isOwnHostName }: AppOptions): void {
  if (isOwnHostName === undefined || isOwnHostName(hostname)) return;
  throw new ProblemError('not_found', `This host does not serve the name ${hostname}. Use localhost or 127.0.0.1.`);
}

/** Checks the host name, finds its tenant, and sets the CORS headers, also for errors. */
async function enterHost(exchange: Exchange, kernel: Kernel): Promise<Tenant | undefined> {
  const origin = exchange.req.get('origin');
  const allow = (tenant: Tenant | undefined) =>
    allowOrigin(exchange, origin !== undefined && kernel.options.allowedOrigins(origin, tenant));
  let tenant: Tenant | undefined;
  try {
    checkHost(exchange.req, requestHost(exchange.req, kernel.options));
    const hostname = requestHostname(exchange.req, kernel.options);
    checkOwnName(hostname, kernel.options);
    tenant = await findHostTenant(exchange, kernel);
    return tenant;
  } finally {
    allow(tenant);
  }
}

/** Returns whether HEAD would start what GET starts. */
const refusesHead = ({ operation: { hasEffect = false, answersHead = false } }: Route): boolean =>
  hasEffect && !answersHead;

/** Returns the methods of a path, including HEAD and OPTIONS. */
function methodsOf(routes: readonly Route[]): string[] {
  const head = routes.some((route) => route.operation.method === 'GET' && !refusesHead(route));
  return [...routes.map(({ operation }) => operation.method), ...(head ? ['HEAD'] : []), 'OPTIONS'];
}

function findRoute(method: string, routes: readonly Route[]): Route | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = routes.find(({ operation }) => operation.method === wanted);
  return method === 'HEAD' && found !== undefined && refusesHead(found) ? undefined : found;
}

function answerOptions({ req, res }: Exchange, methods: readonly string[]): RouteResponse {
  if (isPreflight(req)) allowPreflight(res, methods);
  return noContent({ allow: methods.join(', ') });
}

/** Serves a request to a known path. */
export async function servePath(exchange: Exchange, routes: readonly Route[], kernel: Kernel): Promise<RouteResponse> {
  const { req, res } = exchange;
  exchange.route = findRoute(req.method, routes);
  if (kernel.lifecycle.state !== 'serving') res.setHeader('connection', 'close');
  const tenantOfHost = await enterHost(exchange, kernel);
  checkHeaderBytes(req, exchange.route?.operation);
  const methods = methodsOf(routes);
  if (req.method === 'OPTIONS') return answerOptions(exchange, methods);
  const { route } = exchange;
  if (route === undefined) {
    res.setHeader('allow', methods.join(', '));
    throw new ProblemError('method_not_allowed', `This path supports ${methods.join(', ')}.`);
  }
  if (kernel.lifecycle.state === 'refusing' && route.isProbe !== true) {
    throw new ProblemError('server_shutdown', 'The server is shutting down. Send the request again.');
  }
  checkProtocol(exchange, route.operation);
  return await handleRequest({ ...kernel, exchange, route, tenantOfHost }, kernel.options);
}

/** Rejects a request to an unknown path, with the name of the host that has it. */
export async function refusePath(exchange: Exchange, kernel: Kernel, otherHost?: string): Promise<never> {
  checkHeaderBytes(exchange.req, undefined);
  await enterHost(exchange, kernel);
  const message =
    otherHost === undefined
      ? 'This path does not exist.'
      : `This host does not have this path. Send the request to the ${otherHost}.`;
  throw new ProblemError('not_found', message);
}
