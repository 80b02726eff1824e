import { setTimeout as wait } from 'node:timers/promises';
import { ProblemError, type Tenant } from '@sluice/contract';
import type { Exchange } from '../model/exchange.ts';
import type { Route } from '../model/route.ts';
import { noContent, type RouteResponse } from '../model/route-response.ts';
import type { AnonymousBodies } from '../request/anonymous-bodies.ts';
import { checkHost, type tenantNameReader } from '../request/host-name.ts';
import { requestHost, requestHostname } from '../request/public-address.ts';
import type { AppOptions } from './app-options.ts';
import { allowOrigin, allowPreflight, isPreflight } from './cors.ts';
import { findTenant } from './find-tenant.ts';
import { checkProtocol, handleRequest } from './handle-request.ts';
import type { Lifecycle } from './lifecycle.ts';

/** What serving any path takes. */
export interface Kernel {
  readonly options: AppOptions;
  readonly lifecycle: Lifecycle;
  readonly anonymousBodies: AnonymousBodies;
  readonly tenantNameOf: ReturnType<typeof tenantNameReader>;
}

/** A probe has 200 ms in all. */
const PROBE_LOOKUP_MS = 100;

/** Settles as `lookup` does, or with undefined when that takes longer than a probe can wait. */
async function withinProbeTime<T>(lookup: Promise<T>): Promise<T | undefined> {
  const answered = new AbortController();
  const late = wait(PROBE_LOOKUP_MS, undefined, { signal: answered.signal }).catch(() => undefined);
  try {
    return await Promise.race([lookup, late]);
  } finally {
    answered.abort();
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
    // A probe asks how this process is, not how the store of tenants is.
    if (isOutage && exchange.route?.isProbe === true) return undefined;
    throw thrown;
  }
}

function checkOwnName(hostname: string, { isOwnHostName }: AppOptions): void {
  if (isOwnHostName === undefined || isOwnHostName(hostname)) return;
  throw new ProblemError('not_found', `This host does not answer to the name ${hostname}. Use localhost or 127.0.0.1.`);
}

/** The tenant that the host name names, and what CORS lets a page of its origins see, errors included. */
async function enter(exchange: Exchange, kernel: Kernel): Promise<Tenant | undefined> {
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

/** The methods of a path, with those that follow from them. */
export function methodsOf(routes: readonly Route[]): string[] {
  const head = routes.some(({ operation }) => operation.method === 'GET' && operation.hasEffect !== true);
  return [...routes.map(({ operation }) => operation.method), ...(head ? ['HEAD'] : []), 'OPTIONS'];
}

function findRoute(method: string, routes: readonly Route[]): Route | undefined {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const found = routes.find(({ operation }) => operation.method === wanted);
  return method === 'HEAD' && found?.operation.hasEffect === true ? undefined : found;
}

function answerOptions({ req, res }: Exchange, methods: readonly string[]): RouteResponse {
  if (isPreflight(req)) allowPreflight(res, methods);
  return noContent({ allow: methods.join(', ') });
}

/** Answers whatever is sent to a known path. */
export async function servePath(exchange: Exchange, routes: readonly Route[], kernel: Kernel): Promise<RouteResponse> {
  const { req, res } = exchange;
  exchange.route = findRoute(req.method, routes);
  if (kernel.lifecycle.state !== 'serving') res.setHeader('connection', 'close');
  const tenantOfHost = await enter(exchange, kernel);
  const methods = methodsOf(routes);
  if (req.method === 'OPTIONS') return answerOptions(exchange, methods);
  const { route } = exchange;
  if (route === undefined) {
    res.setHeader('allow', methods.join(', '));
    throw new ProblemError('method_not_allowed', `This path takes ${methods.join(', ')}.`);
  }
  if (kernel.lifecycle.state === 'refusing' && route.isProbe !== true) {
    throw new ProblemError('server_shutdown', 'This server is stopping. Send the request again.');
  }
  checkProtocol(exchange, route.operation);
  return await handleRequest(
    { exchange, route, tenantOfHost, anonymousBodies: kernel.anonymousBodies },
    kernel.options,
  );
}

/** Refuses a path that nothing serves. */
export async function refusePath(exchange: Exchange, kernel: Kernel): Promise<never> {
  await enter(exchange, kernel);
  throw new ProblemError('not_found', 'There is nothing at this path.');
}
