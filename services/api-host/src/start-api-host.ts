import { randomUUID } from 'node:crypto';
import { type Environment, readSettings } from '@sluice/config';
import { createResources, type Resources, type RunningHost } from '@sluice/host';
import { type ListeningServer, listen } from '@sluice/http';
import { startMetricsServer } from '@sluice/observability';
import { createApiApp } from './app.ts';
import { type ApiHostSettings, apiHostSettings } from './config.ts';
import { type ApiContext, type ApiHostOverrides, createContext } from './context.ts';
import { startPeriodicWork } from './periodic-work.ts';

export interface ApiHostOptions {
  readonly environment: Environment;
  readonly overrides?: ApiHostOverrides;
}

const open = async (
  settings: ApiHostSettings,
  resources: Resources,
  overrides: ApiHostOverrides,
): Promise<{ readonly context: ApiContext; readonly server: ListeningServer }> => {
  const context = await createContext(settings, overrides, resources);
  startPeriodicWork(context, randomUUID(), resources);
  const { metricsPort, listenHost } = settings;
  if (metricsPort !== undefined) {
    const registries = [context.metrics.registry];
    resources.add(await startMetricsServer({ registries, host: listenHost, port: metricsPort }));
  }
  const app = createApiApp(context, overrides.routes ?? []);
  const server = resources.add(await listen({ app, host: listenHost, port: settings.port }));
  return { context, server };
};

/**
 * Reads the settings, opens what they name and listens. Rejects with a SettingsError that lists every mistake, or with a
 * sentence for people (port in use, wrong master key); nothing is left open then.
 */
export async function startApiHost({ environment, overrides = {} }: ApiHostOptions): Promise<RunningHost> {
  const { settings, warnings } = readSettings(apiHostSettings, environment);
  const resources = createResources();
  try {
    const { context, server } = await open(settings, resources, overrides);
    for (const warning of warnings) context.log.warn(warning);
    context.log.info({ url: server.url }, 'api host listens');
    const close = () => resources[Symbol.asyncDispose]();
    return {
      url: server.url,
      port: server.port,
      async drain() {
        context.events.drainStarted();
        await server.drain({ delayMs: settings.drainDelayMs, graceMs: settings.drainGraceMs });
        await close();
      },
      [Symbol.asyncDispose]: close,
    };
  } catch (thrown) {
    await resources[Symbol.asyncDispose]();
    throw thrown;
  }
}
