import type { Secret } from '@sluice/config';
import type { Logger } from '@sluice/observability';
import { createInProcessState, openRedisState, type SharedState } from '@sluice/shared-state';

export interface SharedStateSettings {
  readonly redisUrl: Secret | undefined;
  readonly redisPrefix: string;
}

export interface OpenSharedStateOptions {
  readonly settings: SharedStateSettings;
  /** Of the host, as in `sluice-stream`. */
  readonly service: string;
  readonly log: Logger;
}

/** What hosts share, with the check that a probe makes of it. The caller disposes of the state. */
export interface OpenedSharedState {
  readonly state: SharedState;
  /** Empty where the state is this process's own and cannot be away. */
  readonly checks: Readonly<Record<string, () => Promise<void>>>;
}

/** In Redis where the settings name one, else in this process alone. Opens at once, whether Redis answers or not. */
export function openSharedState({ settings, service, log }: OpenSharedStateOptions): OpenedSharedState {
  const { redisUrl, redisPrefix: prefix } = settings;
  if (redisUrl === undefined) return { state: createInProcessState(), checks: {} };
  const state = openRedisState({
    url: redisUrl.reveal(),
    prefix,
    name: service,
    onTrouble: (message) => log.warn({ event: 'redis_trouble' }, message),
  });
  return { state, checks: { redis: () => state.check() } };
}
