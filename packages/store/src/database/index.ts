export { createDatabase, type Database } from './database.ts';
