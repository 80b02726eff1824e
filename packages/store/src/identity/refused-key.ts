/**
 * SQL that tells whether the tokens of a revoked key are refused. A revoked key is still accepted for some seconds, until every host signs with
 * its successor: a token that a host has just issued would otherwise be refused.
 * @param row - alias of its row in revoked_keys
 */
export const isKeyRefused = (row: string): string => `${row}.revoked_at <= now()`;
