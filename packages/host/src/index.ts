export { type AllowedOriginsOptions, createAllowedOrigins, isLoopbackName } from './allowed-origins.ts';
export { collectWithoutMarking } from './collect-without-marking.ts';
export {
  createDurableWriteCheck,
  type DurableWriteCheck,
  type DurableWriteCheckDependencies,
} from './durable-write-check.ts';
export { type HostHeartbeatOptions, type HostRegister, hostHeartbeat, type Progress } from './host-heartbeat.ts';
export { hostSettings } from './host-settings.ts';
export { type ListenSettings, type OpenHostOptions, openHost } from './open-host.ts';
export {
  type OpenedSharedState,
  type OpenSharedStateOptions,
  openSharedState,
  type SharedStateSettings,
} from './open-shared-state.ts';
export { publicUrl } from './public-url.ts';
export { type DenialLog, recordDenial } from './record-denial.ts';
export { refuseDevelopmentSecrets } from './refuse-development-secrets.ts';
export { type RepeatedWork, repeat } from './repeat.ts';
export { createResources, type Resources } from './resources.ts';
export { type HostProcess, type RunningHost, runHost } from './run-host.ts';
export {
  type Suspension,
  type SuspensionWatch,
  type SuspensionWatchOptions,
  watchSuspension,
} from './suspension-watch.ts';
export { tryAtStart } from './try-at-start.ts';
