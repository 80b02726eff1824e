import type { IncomingMessage, ServerResponse } from 'node:http';
import { ProblemError } from '@sluice/contract';
import { SILENT_TRACER } from '@sluice/observability';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Exchange } from '../model/exchange.ts';
import type { Route } from '../model/route.ts';
import type { RouteResponse } from '../model/route-response.ts';
import { createRunningRequests, type RunningRequests } from '../model/running-requests.ts';
import { AccountRequests } from '../request/account-requests.ts';
import { AnonymousBodies } from '../request/anonymous-bodies.ts';
import { tenantNameReader } from '../request/host-name.ts';
import { isSecureRequest } from '../request/public-address.ts';
import { RefusedBodies } from '../request/refused-bodies.ts';
import { receiveSentBody } from '../response/end-connection.ts';
import { sendProblem } from '../response/send-problem.ts';
import { sendResponse } from '../response/send-response.ts';
import { UnreadResponses } from '../response/unread-responses.ts';
import { type AppOptions, STALL_MS_DEFAULT } from './app-options.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { openExchange } from './open-exchange.ts';
import { type Kernel, refusePath, servePath } from './serve-path.ts';

/** Routes of a host with the kernel, ready for `listen`. */
export interface App {
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  readonly lifecycle: Lifecycle;
  readonly running: RunningRequests;
  readonly routes: readonly Route[];
}

const toExpressPath = (path: string, matchesLongerPaths: boolean): string =>
  path.replace(/\{(\w+)\}$/, matchesLongerPaths ? '*$1' : ':$1').replaceAll(/\{(\w+)\}/g, ':$1');

const parametersIn = (path: string): number => path.split('{').length - 1;

const matchesLongerPaths = (routes: readonly Route[]): boolean =>
  routes.some(({ operation }) => operation.matchesLongerPaths === true);

/** Position among the paths: literal ones come before those with parameters, which would match them. */
const rankOf = ([path, routes]: readonly [string, readonly Route[]]): number =>
  matchesLongerPaths(routes) ? Number.POSITIVE_INFINITY : parametersIn(path);

/** Groups routes by path, in the order in which they are matched. */
function groupByPath(routes: readonly Route[]): [string, Route[]][] {
  const byPath = new Map<string, Route[]>();
  for (const route of routes) {
    const { path, method, id } = route.operation;
    const group = byPath.get(path) ?? [];
    if (group.some(({ operation }) => operation.method === method)) {
      throw new Error(`Two routes serve ${method} ${path}; the second is ${id}.`);
    }
    byPath.set(path, [...group, route]);
  }
  return [...byPath].sort((a, b) => (rankOf(a) < rankOf(b) ? -1 : Number(rankOf(a) > rankOf(b))));
}

function createExpress(trustedProxies: readonly string[]): express.Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.disable('query parser');
  app.enable('case sensitive routing');
  app.set('trust proxy', trustedProxies.length === 0 ? false : [...trustedProxies]);
  return app;
}

/**
 * Creates the app of a host. The kernel runs the same steps for every request: request id, tenant, CORS, caller (401), permission
 * (403), input (400), handler, response. Throws if two routes have the same method and path.
 */
export function createApp(options: AppOptions): App {
  const lifecycle = options.lifecycle ?? createLifecycle();
  const running = createRunningRequests();
  const kernel: Kernel = {
    options,
    lifecycle,
    accountRequests: new AccountRequests(options.accountRequests),
    anonymousBodies: new AnonymousBodies(options.anonymousBodyLimits),
    refusedBodies: new RefusedBodies(),
    unread: new UnreadResponses(),
    tenantNameOf: tenantNameReader(options.tenantHostSuffix),
  };
  const { log, metrics, tracer = SILENT_TRACER, stallMs = STALL_MS_DEFAULT } = options;

  const serve = async (req: Request, res: Response, answerTo: (exchange: Exchange) => Promise<RouteResponse>) => {
    const exchange = openExchange(req, res, {
      log,
      metrics,
      tracer,
      running,
      isSecure: isSecureRequest(req, options),
    });
    await receiveSentBody(req);
    try {
      await sendResponse(exchange, await answerTo(exchange), { stallMs, unread: kernel.unread });
    } catch (thrown) {
      sendProblem(exchange, thrown, metrics);
    }
  };

  const app = createExpress(options.trustedProxies ?? []);
  for (const [path, routes] of groupByPath(options.routes)) {
    app.all(toExpressPath(path, matchesLongerPaths(routes)), (req, res) =>
      serve(req, res, (exchange) => servePath(exchange, routes, kernel)),
    );
  }
  const { otherHost } = options;
  for (const { path, matchesLongerPaths = false } of otherHost?.operations ?? []) {
    app.all(toExpressPath(path, matchesLongerPaths), (req, res) =>
      serve(req, res, (exchange) => refusePath(exchange, kernel, otherHost?.name)),
    );
  }
  app.use((req, res) => serve(req, res, (exchange) => refusePath(exchange, kernel)));
  // Express itself fails only if a path cannot be decoded. It recognizes error handlers by their four parameters.
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) =>
    serve(req, res, () => Promise.reject(undecodable(error))),
  );
  return { handler: app, lifecycle, running, routes: options.routes };
}

const undecodable = (error: unknown): unknown =>
  error instanceof URIError || (error instanceof Error && 'status' in error && error.status === 400)
    ? new ProblemError('invalid_request', 'The path is not valid percent-encoded UTF-8.')
    : error;
