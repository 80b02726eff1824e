import { type Environment, readSettings } from '@sluice/config';
import { createResources, type Resources, type RunningHost } from '@sluice/host';
import { type ListeningServer, listen } from '@sluice/http';
import { startMetricsServer } from '@sluice/observability';
import { createStreamApp } from './app.ts';
import { type StreamHostSettings, streamHostSettings } from './config.ts';
import { createContext, type StreamHostContext, type StreamHostOverrides } from './context.ts';
import { startPeriodicWork } from './periodic-work.ts';

/** A stream host that is up, with what tests and the embedded run look at. */
export interface StreamHost extends RunningHost {
  readonly context: StreamHostContext;
}

export interface StreamHostOptions {
  readonly environment: Environment;
  readonly overrides?: StreamHostOverrides;
}

/**
 * Reads the settings, opens what they name and listens. Rejects with a SettingsError that lists every mistake, or with a
 * sentence for people (port in use); nothing is left open then.
 */
export async function startStreamHost({ environment, overrides = {} }: StreamHostOptions): Promise<StreamHost> {
  const { settings, warnings } = readSettings(streamHostSettings, environment);
  const resources = createResources();
  try {
    const context = createContext(settings, overrides, resources);
    const server = await open(context, settings, resources);
    for (const warning of warnings) context.log.warn(warning);
    context.log.info({ url: server.url }, 'stream host listens');
    const close = async (): Promise<void> => await resources[Symbol.asyncDispose]();
    return {
      url: server.url,
      port: server.port,
      context,
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

async function open(
  context: StreamHostContext,
  settings: StreamHostSettings,
  resources: Resources,
): Promise<ListeningServer> {
  await context.hosts.register({ id: context.hostId, service: 'stream' });
  startPeriodicWork(context, resources);
  const { metricsPort, listenHost } = settings;
  if (metricsPort !== undefined) {
    resources.add(
      await startMetricsServer({ registries: [context.metrics.registry], host: listenHost, port: metricsPort }),
    );
  }
  return resources.add(await listen({ app: createStreamApp(context), host: listenHost, port: settings.port }));
}
