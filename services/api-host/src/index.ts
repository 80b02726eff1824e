export { migrateSettings } from './commands/migrate-config.ts';
export { runMigration } from './commands/run-migration.ts';
export { apiHostSettings } from './config.ts';
export type { ApiHostOverrides } from './context/context.ts';
export { type ApiHostOptions, startApiHost } from './start-api-host.ts';
