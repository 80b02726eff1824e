import type { AuditRecord } from '@sluice/contract';
import { type PreparedStatement, prepared } from '../database/transaction.ts';
import { AUDIT_PARAMETERS, auditValues, INSERT_AUDIT } from './audit-store.ts';

/** Ids of the records of queries, and the times of the first and last record in microseconds since the epoch. */
export interface OutcomeQuery {
  readonly tenantId: string;
  readonly ids: readonly string[];
  readonly earliest: string;
  readonly latest: string;
}

/** All outcomes in one row, one line each: `<id of the query's record> <metadata>`. The last line of an id is valid. Null when there are none. */
export interface OutcomeRow {
  readonly outcomes: string | null;
}

/** Returns the metadata of the last outcome by the id of the record. */
export const readOutcomes = (rows: readonly OutcomeRow[]): ReadonlyMap<string, string> =>
  new Map(
    (rows[0]?.outcomes ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, ID_CHARACTERS), line.slice(ID_CHARACTERS + 1)]),
  );

const ID_CHARACTERS = 36;

/**
 * Time after a record in which its outcome is looked for first. A query may run for hours, and its outcome may be written days later if
 * its host died. Later partitions are read only when an outcome is missing.
 */
export const OUTCOME_WITHIN_MS = 2 * 86_400_000;

const moment = (parameter: string): string => `(timestamptz 'epoch' + ${parameter}::float8 * interval '1 microsecond')`;

const outcomesFrom = (first: number): string => `
  select string_agg(record_id || ' ' || metadata::text, E'\\n' order by occurred) as outcomes from audit_log
  where tenant_id = $1 and record_id = any ($${first}::uuid[]) and occurred >= ${moment(`$${first + 1}`)}`;
const until = (parameter: string): string =>
  ` and occurred < ${moment(parameter)} + interval '${OUTCOME_WITHIN_MS} milliseconds'`;

const RECORD_AND_FIND = prepared(
  'audit_reading',
  `with access as (${INSERT_AUDIT}) ${outcomesFrom(AUDIT_PARAMETERS + 1)}${until(`$${AUDIT_PARAMETERS + 3}`)}`,
);
const FIND_EVER = prepared('audit_outcomes_ever', outcomesFrom(2));

interface OutcomeStatement {
  readonly statement: PreparedStatement;
  readonly values: readonly unknown[];
}

/** Writes the record that the log was read and finds the outcomes of the read queries, in one round trip. */
export const accessStatement = (access: AuditRecord, { ids, earliest, latest }: OutcomeQuery): OutcomeStatement => ({
  statement: RECORD_AND_FIND,
  values: [...auditValues(access), ids, earliest, latest],
});

/** Finds the outcomes without a limit of time. */
export const outcomeStatement = ({ tenantId, ids, earliest }: OutcomeQuery): OutcomeStatement => ({
  statement: FIND_EVER,
  values: [tenantId, ids, earliest],
});
