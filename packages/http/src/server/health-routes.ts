import { type Operation, ProblemError } from '@sluice/contract';
import type { Lifecycle } from '../kernel/lifecycle.ts';
import { type Route, route } from '../model/route.ts';
import { type BodyResponse, json } from '../model/route-response.ts';
import type { HealthMonitor } from './health-monitor.ts';

type ProbeName = 'root' | 'health' | 'live' | 'ready';

interface HealthRoutesOptions {
  /** The probe operations of the host's own contract. */
  readonly operations: Readonly<Record<ProbeName, Operation>>;
  /** Value of the field `service` in responses. */
  readonly service: string;
  readonly monitor: HealthMonitor;
  /** Lifecycle of the app. */
  readonly lifecycle: Lifecycle;
}

/** The monitor checks again after a second. */
const RETRY_AFTER = { 'retry-after': '1' };

const unavailable = (body: object): BodyResponse => json(503, body, RETRY_AFTER);

/**
 * Creates the probes `/`, `/health`, `/live` and `/ready`. They never wait for a back end: each reads the last known state.
 * - `/live`: 200 while the process works, also while draining.
 * - `/health`: like `/live`, but 503 while draining, and `degraded` while a back end is down: a restart would not help.
 * - `/ready`: 200 only while every back end responds.
 * - `/`: for people, 200 in every state.
 */
export function healthRoutes(options: HealthRoutesOptions): readonly Route[] {
  const { operations, service, monitor } = options;
  const isDraining = () => options.lifecycle.state !== 'serving';
  const isDegraded = () => Object.values(monitor.results()).includes('down');

  const root = async () => {
    if (isDraining()) return json(200, { status: 'draining', service });
    return json(200, { status: isDegraded() ? 'degraded' : 'ok', service });
  };

  const requireWork = () => {
    if (monitor.isWorking()) return;
    throw new ProblemError('service_unavailable', 'This process cannot do work at the moment.');
  };

  const health = async () => {
    if (isDraining()) return unavailable({ status: 'draining', service });
    requireWork();
    return await root();
  };

  const live = async () => {
    requireWork();
    return json(200, { status: 'ok', service });
  };

  const ready = async () => {
    const checks = monitor.results();
    if (isDraining()) return unavailable({ status: 'draining', service, checks });
    if (isDegraded()) return unavailable({ status: 'not_ready', service, checks });
    return json(200, { status: 'ready', service, checks });
  };

  return [
    { ...route(operations.root, root), isProbe: true },
    { ...route(operations.health, health), isProbe: true },
    { ...route(operations.live, live), isProbe: true },
    { ...route(operations.ready, ready), isProbe: true },
  ];
}
