export { type AllowedOriginsOptions, createAllowedOrigins } from './allowed-origins.ts';
export { hostSettings } from './host-settings.ts';
export { type DenialLog, recordDenial } from './record-denial.ts';
export { type RepeatedWork, repeat } from './repeat.ts';
export { createResources, type Resources } from './resources.ts';
export { type HostProcess, type RunningHost, runHost } from './run-host.ts';
