export { spelledColumns } from './catalogue/column-spellings.ts';
export { type CatalogueStatement, readCatalogueStatement } from './catalogue/read-catalogue-statement.ts';
export { type FoundObject, foundObjectsSql, missingObject, type RequiredObject } from './catalogue/required-objects.ts';
export type { ConstantRow, DoorFacts } from './catalogue/session-facts.ts';
export type { ClientSession } from './client-session.ts';
export type { DoorStatement, SessionStatement } from './door-statement.ts';
export { TrinoError, type TrinoErrorType } from './trino-error.ts';
