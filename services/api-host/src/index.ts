export { apiHostSettings } from './config.ts';
export type { ApiHostOverrides } from './context.ts';
export { migrateSettings } from './migrate-config.ts';
export { runMigration } from './run-migration.ts';
export { type ApiHostOptions, startApiHost } from './start-api-host.ts';
