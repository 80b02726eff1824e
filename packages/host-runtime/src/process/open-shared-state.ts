import type { Secret } from '@sluice/config';
import type { Logger } from '@sluice/observability';
import { checkRedisLogin, createInProcessState, openRedisState, type SharedState } from '@sluice/shared-state';

interface SharedStateSettings {
  readonly redisUrl: Secret | undefined;
  readonly redisPrefix: string;
}

interface OpenSharedStateOptions {
  readonly settings: SharedStateSettings;
  /** Name of the host, such as `sluice-stream`. */
  readonly service: string;
  readonly log: Logger;
}

/** State that hosts share, with its health checks. The caller disposes of the state. */
export interface OpenedSharedState {
  readonly state: SharedState;
  /** Empty for in-process state, which is always available. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
}

/**
 * Throws an error for the operator if Redis rejects the login of the settings, which no restart cures. While Redis
 * is unavailable, the host starts and is not ready.
 */
export async function checkSharedState({ redisUrl }: Pick<SharedStateSettings, 'redisUrl'>): Promise<void> {
  if (redisUrl !== undefined) await checkRedisLogin(redisUrl.reveal());
}

/** Opens the shared state: in Redis if the settings name one, otherwise in this process. Does not wait for Redis. */
export function openSharedState({ settings, service, log }: OpenSharedStateOptions): OpenedSharedState {
  const { redisUrl, redisPrefix: prefix } = settings;
  if (redisUrl === undefined) return { state: createInProcessState(), checks: {} };
  const state = openRedisState({
    url: redisUrl.reveal(),
    prefix,
    name: service,
    onWarning: (message) => log.warn({ event: 'redis_failed' }, message),
  });
  return { state, checks: { redis: () => state.check() } };
}
