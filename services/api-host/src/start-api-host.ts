import { randomUUID } from 'node:crypto';
import { type Environment, readSettings } from '@sluice/config';
import { createResourceStack, openHost, type RunningHost, rejectDevelopmentSecrets } from '@sluice/host-runtime';
import { startHealthMonitor } from '@sluice/http';
import { createEngineResolver, trinoAccountWarnings } from '@sluice/tenant-engines';
import { createApiApp } from './app.ts';
import { apiHostSettings } from './config.ts';
import { type ApiContext, type ApiHostOverrides, createContext } from './context/context.ts';
import { startPeriodicWork } from './context/periodic-work.ts';

interface ApiHostOptions {
  readonly environment: Environment;
  readonly overrides?: ApiHostOverrides;
}

/**
 * Reads the settings, opens the resources and listens. Rejects with a SettingsError that lists every violation, or with an error whose
 * message is for the operator (port in use, wrong master key). After a failure, everything is closed.
 */
export async function startApiHost({ environment, overrides = {} }: ApiHostOptions): Promise<RunningHost> {
  const { settings, warnings: settingsWarnings } = readSettings(apiHostSettings, environment);
  rejectDevelopmentSecrets(apiHostSettings, settings, settings.publishedAddress ?? settings.listenHost);
  const resources = createResourceStack();
  try {
    const context = await createContext(settings, overrides, resources);
    startPeriodicWork(context, randomUUID(), resources);
    const { events, log, metrics } = context;
    const monitor = resources.add(await monitorHealth(context));
    metrics.watchBackEnds({ backEnds: monitor.results, connections: context.stores.database.connections });
    const warnings = [
      ...settingsWarnings,
      ...trinoAccountWarnings(createEngineResolver(settings), await context.stores.tenants.list()),
    ];
    const app = createApiApp(context, monitor, overrides.routes ?? []);
    return await openHost({ app, settings, events, log, metrics, warnings, resources });
  } catch (thrown) {
    await resources[Symbol.asyncDispose]();
    throw thrown;
  }
}

const monitorHealth = ({ stores, durableWrites, shared, log }: ApiContext) =>
  startHealthMonitor({
    checks: {
      postgres: () => stores.database.ping().then(durableWrites.check),
      ...shared.checks,
    },
    log,
  });
