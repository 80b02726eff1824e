export { migrateSettings } from './commands/migrate-config.ts';
export { type OperatorProgram, runOperatorProgram } from './commands/run-as-main.ts';
export { auditProgram } from './commands/run-audit-command.ts';
export { keysProgram } from './commands/run-keys-command.ts';
export { runMigration } from './commands/run-migration.ts';
export { tenantProgram } from './commands/run-tenant-command.ts';
export { apiHostSettings } from './config.ts';
export type { ApiHostOverrides } from './context/context.ts';
export { startApiHost } from './start-api-host.ts';
