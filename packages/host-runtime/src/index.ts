export {
  createDurableWriteCheck,
  type DurableWriteCheck,
  type DurableWriteCheckDependencies,
} from './periodic/durable-write-check.ts';
export {
  type HostHeartbeatOptions,
  type HostRegistry,
  hostHeartbeat,
  type QueryProgress,
} from './periodic/host-heartbeat.ts';
export { type PeriodicTask, startPeriodicTask } from './periodic/periodic-task.ts';
export { disableIncrementalMarking } from './process/disable-incremental-marking.ts';
export { type ListenSettings, type OpenHostOptions, openHost } from './process/open-host.ts';
export {
  type OpenedSharedState,
  type OpenSharedStateOptions,
  openSharedState,
  type SharedStateSettings,
} from './process/open-shared-state.ts';
export { createResourceStack, type ResourceStack } from './process/resource-stack.ts';
export { retryAtStartup } from './process/retry-at-startup.ts';
export { type HostProcess, type RunningHost, runHost } from './process/run-host.ts';
export { type AllowedOriginsOptions, createAllowedOrigins, isLoopbackName } from './requests/allowed-origins.ts';
export { type DenialLog, recordDenial } from './requests/record-denial.ts';
export { hostSettings } from './settings/host-settings.ts';
export { publicUrl } from './settings/public-url.ts';
export { rejectDevelopmentSecrets } from './settings/reject-development-secrets.ts';
