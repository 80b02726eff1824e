import { randomUUID } from 'node:crypto';
import { AUDIT_FIELDS, type AuditField, type AuditRecord } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import { auditProblem, isUnavailable } from '../database/store-problem.ts';
import { type PreparedStatement, prepared, type Transaction } from '../database/transaction.ts';
import { WRITTEN_AT } from '../database/written-at.ts';

export interface AuditStore {
  /** Durable when it resolves. Throws `audit_unavailable`. */
  append(record: AuditRecord): Promise<void>;
  /** Appends a record whose outcome follows, as `append` does. Returns its id. */
  appendOpen(record: AuditRecord): Promise<string>;
  /** Appends the outcome of a record: the same record with the metadata of the outcome. Throws `audit_unavailable`. */
  appendOutcome(recordId: string, record: AuditRecord): Promise<void>;
  /** Creates the partitions of this month and the next two. Must be called daily. */
  ensurePartitions(): Promise<void>;
}

/** Fields of an audit row that is not an outcome. `occurred` is the only one that the database fills. */
const INSERTED = AUDIT_FIELDS.filter(({ property }) => property !== 'recordId');
const PARAMETERS = INSERTED.filter(({ property }) => property !== 'occurredUs');

/** Number of parameters of `INSERT_AUDIT`. */
export const AUDIT_PARAMETERS = PARAMETERS.length;

/** Returns the insert of the values of `auditValues`, and of one more column with its value. */
const insertWith = (column = '', value = ''): string => `
  insert into audit_log (${INSERTED.map((field) => field.column).join(', ')}${column})
  values (${INSERTED.map((field) => (field.property === 'occurredUs' ? WRITTEN_AT : `$${PARAMETERS.indexOf(field) + 1}`)).join(', ')}${value})`;

/** Inserts the values of `auditValues`. The first parameter is the tenant. */
export const INSERT_AUDIT = insertWith();
const INSERT = prepared('append_audit', INSERT_AUDIT);
const INSERT_OUTCOME = prepared('append_audit_outcome', insertWith(', record_id', `, $${PARAMETERS.length + 1}`));

/** A name that a failed login tried may be any string. Characters that a text column cannot hold are replaced, so that it is recorded. */
const storable = (text: string, charactersMax: number): string =>
  text.slice(0, charactersMax).toWellFormed().replaceAll('\0', '\uFFFD');

/**
 * Writes the record within the caller's transaction: both are durable, or neither. Throws `audit_unavailable` when the server rejects the
 * record. An outage is rethrown unchanged, because the state of the connection is then unknown.
 */
export async function appendAudit(transaction: Transaction, record: AuditRecord): Promise<void> {
  try {
    await transaction.query(INSERT.text, auditValues(record));
  } catch (thrown) {
    throw isUnavailable(thrown) ? thrown : auditProblem(thrown);
  }
}

const parameterOf = (record: AuditRecord, field: AuditField, id: string): unknown => {
  if (field.property === 'id') return id;
  if (field.property === 'metadata') return JSON.stringify(record.metadata ?? {});
  const value: string | null | undefined = Reflect.get(record, field.property);
  if (value === undefined || value === null) return null;
  return 'charactersMax' in field ? storable(value, field.charactersMax) : value;
};

/** Returns the parameters of `INSERT_AUDIT`. */
export const auditValues = (record: AuditRecord, id = randomUUID()): unknown[] =>
  PARAMETERS.map((field) => parameterOf(record, field, id));

export function createAuditStore(database: Database): AuditStore {
  const insert = async ({ tenantId }: AuditRecord, statement: PreparedStatement, values: readonly unknown[]) => {
    try {
      await database.run({ tenantId }, statement, values);
    } catch (thrown) {
      throw auditProblem(thrown);
    }
  };
  return {
    append: (record) => insert(record, INSERT, auditValues(record)),
    async appendOpen(record) {
      const id = randomUUID();
      await insert(record, INSERT, auditValues(record, id));
      return id;
    },
    appendOutcome: (recordId, record) => insert(record, INSERT_OUTCOME, [...auditValues(record), recordId]),
    async ensurePartitions() {
      await database.withoutTenant((transaction) => transaction.query('select ensure_audit_partitions()'));
    },
  };
}
