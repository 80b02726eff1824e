import { randomUUID } from 'node:crypto';
import type { Transaction } from '../database/transaction.ts';

type HarvestState = 'QUEUED' | 'RUNNING' | 'FINISHED' | 'FAILED';
export type HarvestReason = 'start' | 'schedule' | 'request';

export interface HarvestReference {
  readonly tenantId: string;
  readonly runId: string;
}

export interface HarvestError {
  readonly code: string;
  readonly message: string;
}

export interface HarvestRun extends HarvestReference {
  readonly state: HarvestState;
  readonly reason: HarvestReason;
  readonly requestedBy: string | null;
  readonly requested: Date;
  readonly started: Date | null;
  readonly ended: Date | null;
  readonly attempt: number;
  readonly tablesSeen: number;
  readonly columnsSeen: number;
  readonly tablesChanged: number;
  readonly tablesAbsent: number;
  readonly namesSkipped: number;
  readonly error: HarvestError | null;
}

/** Harvest runs of one tenant, within one transaction. */
export interface HarvestRepository {
  /** Returns the open run, or creates one that an account has requested. */
  findOrCreate(requestedBy: string): Promise<HarvestRun>;
  /** Lists runs, newest first. */
  list(limit: number): Promise<HarvestRun[]>;
}

export const OPEN = `state in ('QUEUED', 'RUNNING')`;
const COLUMNS = `tenant_id, run_id, state, reason, requested_by, requested, started, ended, attempt, tables_seen, columns_seen,
  tables_changed, tables_absent, names_skipped, error`;

const FIND_OPEN = `select ${COLUMNS} from harvest_runs where tenant_id = $1 and ${OPEN}`;

const INSERT = `
  insert into harvest_runs (tenant_id, run_id, reason, requested_by) values ($1, $2, 'request', $3)
  on conflict (tenant_id) where ${OPEN} do nothing
  returning ${COLUMNS}`;

const LIST = `select ${COLUMNS} from harvest_runs where tenant_id = $1 order by requested desc, run_id limit $2`;

interface RunRow {
  readonly tenant_id: string;
  readonly run_id: string;
  readonly state: HarvestState;
  readonly reason: HarvestReason;
  readonly requested_by: string | null;
  readonly requested: Date;
  readonly started: Date | null;
  readonly ended: Date | null;
  readonly attempt: number;
  readonly tables_seen: string;
  readonly columns_seen: string;
  readonly tables_changed: string;
  readonly tables_absent: string;
  readonly names_skipped: string;
  readonly error: HarvestError | null;
}

const toRun = (row: RunRow): HarvestRun => ({
  tenantId: row.tenant_id,
  runId: row.run_id,
  state: row.state,
  reason: row.reason,
  requestedBy: row.requested_by,
  requested: row.requested,
  started: row.started,
  ended: row.ended,
  attempt: row.attempt,
  tablesSeen: Number(row.tables_seen),
  columnsSeen: Number(row.columns_seen),
  tablesChanged: Number(row.tables_changed),
  tablesAbsent: Number(row.tables_absent),
  namesSkipped: Number(row.names_skipped),
  error: row.error,
});

export const createHarvestRepository = (transaction: Transaction, tenantId: string): HarvestRepository => ({
  async findOrCreate(requestedBy) {
    // Another host may create a run first, and that one may have ended already: then this one tries again.
    for (;;) {
      const [open] = await transaction.query<RunRow>(FIND_OPEN, [tenantId]);
      if (open !== undefined) return toRun(open);
      const [made] = await transaction.query<RunRow>(INSERT, [tenantId, randomUUID(), requestedBy]);
      if (made !== undefined) return toRun(made);
    }
  },
  list: async (limit) => (await transaction.query<RunRow>(LIST, [tenantId, limit])).map(toRun),
});
