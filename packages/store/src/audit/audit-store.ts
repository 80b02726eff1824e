import { randomUUID } from 'node:crypto';
import type { AuditAction } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import { auditProblem, isUnavailable } from '../database/store-problem.ts';
import { prepared, type Transaction } from '../database/transaction.ts';
import { WRITTEN_AT } from '../database/written-at.ts';

/** One thing that somebody did. Secrets, tokens and passwords never enter it; SQL does. */
export interface AuditRecord {
  readonly tenantId: string;
  /** The e-mail, or the client id, of who acted; for a failed login, the name that was tried. */
  readonly user: string;
  readonly action: AuditAction;
  /** What was acted on. */
  readonly target: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
  readonly queryId?: string;
  readonly sessionId?: string;
  readonly address?: string;
  readonly userAgent?: string;
}

export interface AuditStore {
  /** Durable when it resolves. Throws `audit_unavailable`. */
  append(record: AuditRecord): Promise<void>;
  /** Makes the partitions of this month and the next two; call it daily. */
  ensurePartitions(): Promise<void>;
}

const USER_AGENT_CHARACTERS_MAX = 512;
const NAME_CHARACTERS_MAX = 320;

/** With the values of `auditValues`; the first is the tenant. */
export const INSERT_AUDIT = `
  insert into audit_log
    (tenant_id, id, occurred, user_name, action, target, metadata, request_id, query_id, session_id, address, user_agent)
  values ($1, $2, ${WRITTEN_AT}, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
const INSERT = prepared('append_audit', INSERT_AUDIT);

/** A name that was tried may be anything: what text columns cannot hold is replaced, so that the attempt is still recorded. */
const storable = (text: string, charactersMax: number): string =>
  text.slice(0, charactersMax).toWellFormed().replaceAll('\0', '\uFFFD');

/**
 * Writes the record within the caller's own transaction: both are durable, or neither. Throws `audit_unavailable` when the record is
 * refused; an outage is passed on as it is, for the connection is in doubt then.
 */
export async function appendAudit(transaction: Transaction, record: AuditRecord): Promise<void> {
  try {
    await transaction.query(INSERT.text, auditValues(record));
  } catch (thrown) {
    throw isUnavailable(thrown) ? thrown : auditProblem(thrown);
  }
}

export const auditValues = (record: AuditRecord): unknown[] => [
  record.tenantId,
  randomUUID(),
  storable(record.user, NAME_CHARACTERS_MAX),
  record.action,
  storable(record.target, NAME_CHARACTERS_MAX),
  JSON.stringify(record.metadata ?? {}),
  record.requestId ?? null,
  record.queryId ?? null,
  record.sessionId ?? null,
  record.address ?? null,
  record.userAgent === undefined ? null : storable(record.userAgent, USER_AGENT_CHARACTERS_MAX),
];

export function createAuditStore(database: Database): AuditStore {
  return {
    async append(record) {
      try {
        await database.run({ tenantId: record.tenantId }, INSERT, auditValues(record));
      } catch (thrown) {
        throw auditProblem(thrown);
      }
    },
    async ensurePartitions() {
      await database.withoutTenant((transaction) => transaction.query('select ensure_audit_partitions()'));
    },
  };
}
