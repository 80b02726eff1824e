import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { ProblemError } from '@sluice/contract';
import type { App } from '../kernel/create-app.ts';

export interface DrainOptions {
  /** New requests are still served for so long, while the endpoint is being withdrawn. */
  readonly delayMs: number;
  /** Running requests may take so long to finish by themselves, counted from the end of the delay. */
  readonly graceMs: number;
  /** What is left then is aborted and may take so long to end its answer and its records; 6 s by default. */
  readonly cutMs?: number;
}

/** A result's receipt has 5 s to become durable; a little more lets its failure be told. */
const CUT_MS_DEFAULT = 6000;

/** Takes a server out of service; resolves when nothing of it is left. */
export async function drain(
  { server, app }: { readonly server: Server; readonly app: App },
  { delayMs, graceMs, cutMs = CUT_MS_DEFAULT }: DrainOptions,
): Promise<void> {
  const { lifecycle, running } = app;
  lifecycle.moveTo('draining');
  if (delayMs > 0) await wait(delayMs);
  lifecycle.moveTo('refusing');
  if (!(await running.whenIdle(graceMs))) {
    running.abortAll(new ProblemError('server_shutdown', 'The server stopped before the answer was complete.'));
    await running.whenIdle(cutMs);
  }
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeAllConnections();
  lifecycle.moveTo('stopped');
  await closed;
}
