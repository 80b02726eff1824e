import type { Operation } from '@sluice/contract';
import type { Logger } from '@sluice/observability';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import { json } from '../response/answer.ts';
import { type Route, route } from '../route.ts';
import { createHealthChecks, type HealthCheck } from './health-checks.ts';

export interface HealthRoutesOptions {
  /** The three operations of the host's own contract. */
  readonly operations: { readonly root: Operation; readonly health: Operation; readonly ready: Operation };
  /** Stands in the answers as `service`. */
  readonly service: string;
  /** The back ends by name, as in `postgres`. A check has 2 s. */
  readonly checks: Readonly<Record<string, HealthCheck>>;
  /** The one that the app is made with. */
  readonly lifecycle: Lifecycle;
  /** Is told why a back end is down, which no answer says. */
  readonly log: Logger;
}

/**
 * `/`, `/health` and `/ready`. The root is for people and always 200. Health is 200 with `degraded` while a back end is down, since restarting this process would
 * not help; 503 while draining or when the process
 * itself cannot do work. Ready is 200 only while every back end answers.
 */
export function healthRoutes(options: HealthRoutesOptions): readonly Route[] {
  const { operations, service } = options;
  const checks = createHealthChecks(options.checks, options.log);
  const isDraining = () => options.lifecycle.state !== 'serving';

  const isDegraded = async () => {
    const [results] = await Promise.all([checks.results(), checks.touchThreadPool()]);
    return Object.values(results).includes('down');
  };

  const root = async () => {
    if (isDraining()) return json(200, { status: 'draining', service });
    return json(200, { status: (await isDegraded()) ? 'degraded' : 'ok', service });
  };

  const health = async () => (isDraining() ? json(503, { status: 'draining', service }) : await root());

  const ready = async () => {
    const results = await checks.results();
    if (isDraining()) return json(503, { status: 'draining', service, checks: results });
    const isReady = !Object.values(results).includes('down');
    return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not_ready', service, checks: results });
  };

  return [
    { ...route(operations.root, root), isProbe: true },
    { ...route(operations.health, health), isProbe: true },
    { ...route(operations.ready, ready), isProbe: true },
  ];
}
