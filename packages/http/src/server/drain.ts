import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { ProblemError } from '@sluice/contract';
import type { App } from '../kernel/create-app.ts';

export interface DrainOptions {
  /** Time in which new requests are still served, while load balancers remove the endpoint. */
  readonly delayMs: number;
  /** Time for running requests to finish, after the delay. */
  readonly graceMs: number;
  /** Time for aborted requests to end their responses and records. Default: 6 s. */
  readonly cutMs?: number;
}

/** A receipt has 5 s to become durable; the rest is for reporting a failure. */
const CUT_MS_DEFAULT = 6000;

/** Stops a server as `ListeningServer.drain` describes. */
export async function drain(
  { server, app }: { readonly server: Server; readonly app: App },
  { delayMs, graceMs, cutMs = CUT_MS_DEFAULT }: DrainOptions,
): Promise<void> {
  const { lifecycle, running } = app;
  lifecycle.moveTo('draining');
  if (delayMs > 0) await wait(delayMs);
  lifecycle.moveTo('refusing');
  if (!(await running.whenIdle(graceMs))) {
    running.abortAll(new ProblemError('server_shutdown', 'The server stopped before the response was complete.'));
    await running.whenIdle(cutMs);
  }
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeAllConnections();
  lifecycle.moveTo('stopped');
  await closed;
}
