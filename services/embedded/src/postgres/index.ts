export { findFreePort } from './free-port.ts';
export { type PostgresServer, type PostgresSettings, startPostgres } from './start-postgres.ts';
export { stopOrphan } from './stop-orphan.ts';
