export { migrateSettings } from './commands/migrate-config.ts';
export { runMigration } from './commands/run-migration.ts';
export { apiHostSettings } from './config.ts';
export type { ApiHostOverrides } from './context/context.ts';
export { startApiHost } from './start-api-host.ts';
