export { type AllowedOriginsOptions, createAllowedOrigins, isLoopbackName } from './allowed-origins.ts';
export { disableIncrementalMarking } from './disable-incremental-marking.ts';
export {
  createDurableWriteCheck,
  type DurableWriteCheck,
  type DurableWriteCheckDependencies,
} from './durable-write-check.ts';
export { type HostHeartbeatOptions, type HostRegistry, hostHeartbeat, type QueryProgress } from './host-heartbeat.ts';
export { hostSettings } from './host-settings.ts';
export { type ListenSettings, type OpenHostOptions, openHost } from './open-host.ts';
export {
  type OpenedSharedState,
  type OpenSharedStateOptions,
  openSharedState,
  type SharedStateSettings,
} from './open-shared-state.ts';
export { type PeriodicTask, startPeriodicTask } from './periodic-task.ts';
export { publicUrl } from './public-url.ts';
export { type DenialLog, recordDenial } from './record-denial.ts';
export { rejectDevelopmentSecrets } from './reject-development-secrets.ts';
export { createResourceStack, type ResourceStack } from './resource-stack.ts';
export { retryAtStartup } from './retry-at-startup.ts';
export { type HostProcess, type RunningHost, runHost } from './run-host.ts';
export {
  type Suspension,
  type SuspensionWatch,
  type SuspensionWatchOptions,
  watchSuspension,
} from './suspension-watch.ts';
