import { LISTED_SQL_CHARACTERS_MAX } from '@sluice/contract';

/**
 * Expression for the SQL of an entry of a list, so that a host does not read 256 KiB of each. It has one character more than a list shows
 * if the SQL is longer.
 */
export const listedSql = (column: string): string => `left(${column}, ${LISTED_SQL_CHARACTERS_MAX + 1})`;
