import { type Environment, readSettings } from '@sluice/config';
import { asProblem } from '@sluice/contract';
import { createResources, openHost, type RunningHost } from '@sluice/host';
import { createStreamApp } from './app.ts';
import { streamHostSettings } from './config.ts';
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
    await register(context);
    startPeriodicWork(context, resources);
    const { events, log, metrics } = context;
    const host = await openHost({ app: createStreamApp(context), settings, events, log, metrics, warnings, resources });
    return { ...host, context };
  } catch (thrown) {
    await resources[Symbol.asyncDispose]();
    throw thrown;
  }
}

/** PostgreSQL may come up together with its hosts, or be busy at that moment. */
const REGISTER_TRIES = 3;

async function register({ hosts, hostId }: StreamHostContext): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await hosts.register({ id: hostId, service: 'stream' });
    } catch (thrown) {
      if (tries === REGISTER_TRIES || asProblem(thrown).code !== 'service_unavailable') throw thrown;
    }
  }
}
