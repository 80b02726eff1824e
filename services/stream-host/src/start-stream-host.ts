import { keySetWarnings } from '@sluice/auth';
import { type Environment, readSettings } from '@sluice/config';
import {
  checkSharedState,
  createResourceStack,
  openHost,
  type RunningHost,
  rejectDevelopmentSecrets,
  retryAtStartup,
} from '@sluice/host-runtime';
import { startHealthMonitor } from '@sluice/http';
import { trinoAccountWarnings } from '@sluice/tenant-engines';
import { createStreamApp } from './app.ts';
import { streamHostSettings } from './config.ts';
import { createContext, type StreamHostContext, type StreamHostOverrides } from './context/context.ts';
import { startPeriodicWork } from './context/periodic-work.ts';

/** A running stream host, with its context for tests and the embedded run. */
export interface StreamHost extends RunningHost {
  readonly context: StreamHostContext;
}

interface StreamHostOptions {
  readonly environment: Environment;
  readonly overrides?: StreamHostOverrides;
}

/**
 * Reads the settings, opens all connections and listens. Rejects with a SettingsError that lists all invalid settings, or with a
 * readable sentence (port in use). A rejected start leaves nothing open.
 */
export async function startStreamHost({ environment, overrides = {} }: StreamHostOptions): Promise<StreamHost> {
  const { settings, warnings: ofSettings } = readSettings(streamHostSettings, environment);
  rejectDevelopmentSecrets(streamHostSettings, settings, settings.publishedAddress ?? settings.listenHost);
  const warnings = [...ofSettings, ...keySetWarnings(settings.jwksUrl)];
  const resources = createResourceStack();
  try {
    await checkSharedState(settings);
    const context = await createContext(settings, overrides, resources);
    await register(context);
    startPeriodicWork(context, resources);
    const monitor = resources.add(await monitorHealth(context));
    const { events, log, metrics, database } = context;
    metrics.watchBackEnds({ backEnds: monitor.results, connections: database.connections });
    warnings.push(...trinoAccountWarnings(context.resolveEngine, await context.tenants.list()));
    const app = createStreamApp(context, monitor);
    const { secure } = overrides;
    const host = await openHost({ app, settings, events, log, metrics, warnings, secure, resources });
    return { ...host, context };
  } catch (thrown) {
    await resources[Symbol.asyncDispose]();
    throw thrown;
  }
}

/**
 * Registers this host. The ping before it fails with a sentence for the operator, also where the statement would succeed: on a schema
 * that lacks only the last steps.
 */
async function register({ hosts, hostId, database }: StreamHostContext): Promise<void> {
  await retryAtStartup(() => database.ping());
  await retryAtStartup(() => hosts.register({ id: hostId, service: 'stream' }));
}

const monitorHealth = ({ database, durableWrites, checkEngine, shared, log }: StreamHostContext) =>
  startHealthMonitor({
    checks: {
      postgres: () => database.ping().then(durableWrites.check),
      engine: () => checkEngine(),
      ...shared.checks,
    },
    log,
  });
