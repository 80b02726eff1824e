import type { AuditEntry } from '@sluice/client';

/** Tables that the dialog lists. The record as JSON has all. */
export const SHOWN_TABLES = 20;

/** Tables that a record is about. */
interface RecordTables {
  /** The first names, at most as many as the dialog lists. */
  readonly shown: readonly string[];
  /** Number of names in the record. */
  readonly count: number;
  /** Whether the statement read more tables than the record names. */
  readonly isAtLeast: boolean;
}

/**
 * Returns the tables that a record is about: those that its statement read, or the one whose description was read.
 * @returns `unknown` for a statement whose tables are not known; undefined for a record that names none
 */
export function tablesOf({
  action,
  target,
  metadata,
}: Pick<AuditEntry, 'action' | 'target' | 'metadata'>): RecordTables | 'unknown' | undefined {
  const { tables_read: tables, tables_read_limited: isAtLeast, table } = metadata;
  if (tables === null) return 'unknown';
  if (Array.isArray(tables)) {
    const names = tables.filter((name): name is string => typeof name === 'string');
    return { shown: names.slice(0, SHOWN_TABLES), count: names.length, isAtLeast: isAtLeast === true };
  }
  const isDescription = action === 'READ_CATALOG' && table !== undefined;
  return isDescription ? { shown: [target], count: 1, isAtLeast: false } : undefined;
}
