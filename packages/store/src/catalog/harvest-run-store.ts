import type { Database } from '../database/database.ts';
import { type HarvestError, type HarvestReason, type HarvestReference, OPEN } from './harvest-repository.ts';

/** Right to work on a run, until it expires or another attempt starts. */
export interface HarvestLease extends HarvestReference {
  readonly attempt: number;
}

/** Last table of an interrupted attempt. The next attempt continues after it. */
export interface HarvestPosition {
  readonly catalog: string;
  readonly schema: string;
  readonly name: string;
}

/** Harvest runs: at most one per tenant is open, and at most one host works on it. */
export interface HarvestRunStore {
  /**
   * Creates a run for each active tenant, or that of a name, that has no open one and whose last run was requested longer ago than
   * `olderThanMs`.
   */
  requestDue(due: {
    readonly reason: HarvestReason;
    readonly olderThanMs: number;
    readonly tenantName?: string;
  }): Promise<HarvestReference[]>;
  /** Returns open runs of all tenants that no host works on. */
  findWaiting(): Promise<HarvestReference[]>;
  /** Returns undefined when another host works on the run, or it has ended or does not exist. */
  claim(
    run: HarvestReference,
    leaseMs: number,
  ): Promise<{ readonly lease: HarvestLease; readonly after: HarvestPosition | undefined } | undefined>;
  /** Extends the lease. Returns false when another host has taken over the run. */
  renew(lease: HarvestLease, leaseMs: number): Promise<boolean>;
  /** Lets another host continue the run from its position. */
  release(lease: HarvestLease): Promise<void>;
  finish(lease: HarvestLease, error: HarvestError | undefined): Promise<void>;
  /** Removes all but the last hundred runs of each tenant. */
  deleteOld(): Promise<void>;
}

const RUNS_MAX = 100;

const REQUEST_DUE = `
  insert into harvest_runs (tenant_id, run_id, reason)
  select t.id, gen_random_uuid(), $1 from tenants t
  where t.state = 'active' and ($3::text is null or t.name = $3) and not exists (
    select 1 from harvest_runs r where r.tenant_id = t.id
      and (r.${OPEN} or r.requested > now() - make_interval(secs => $2::float8 / 1000))
  )
  on conflict (tenant_id) where ${OPEN} do nothing
  returning tenant_id, run_id`;

const FIND_WAITING = `
  select tenant_id, run_id from harvest_runs
  where ${OPEN} and (held_until is null or held_until < clock_timestamp())`;

const CLAIM = `
  update harvest_runs set state = 'RUNNING', attempt = attempt + 1, started = coalesce(started, clock_timestamp()),
    held_until = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
  where tenant_id = $1 and run_id = $2 and ${OPEN} and (held_until is null or held_until < clock_timestamp())
  returning attempt, last_catalog, last_schema, last_table`;

const HELD_BY_LEASE = `tenant_id = $1 and run_id = $2 and attempt = $3 and state = 'RUNNING'`;

const RENEW = `
  update harvest_runs set held_until = clock_timestamp() + make_interval(secs => $4::float8 / 1000)
  where ${HELD_BY_LEASE} returning attempt`;

const RELEASE = `update harvest_runs set state = 'QUEUED', held_until = null where ${HELD_BY_LEASE}`;

const FINISH = `
  update harvest_runs set state = case when $4::jsonb is null then 'FINISHED' else 'FAILED' end,
    ended = clock_timestamp(), held_until = null, error = $4
  where ${HELD_BY_LEASE}`;

const DELETE_OLD = `
  delete from harvest_runs r where not (${OPEN}) and r.requested < (
    select k.requested from harvest_runs k where k.tenant_id = r.tenant_id order by k.requested desc offset ${RUNS_MAX} limit 1)`;

interface Claimed {
  readonly attempt: number;
  readonly last_catalog: string | null;
  readonly last_schema: string | null;
  readonly last_table: string | null;
}

const positionOf = (row: Claimed): HarvestPosition | undefined =>
  row.last_catalog === null
    ? undefined
    : { catalog: row.last_catalog, schema: row.last_schema ?? '', name: row.last_table ?? '' };

type References = Promise<{ tenant_id: string; run_id: string }[]>;

const referencesOf = async (rows: References): Promise<HarvestReference[]> =>
  (await rows).map(({ tenant_id: tenantId, run_id: runId }) => ({ tenantId, runId }));

export function createHarvestRunStore(database: Database): HarvestRunStore {
  const ofLease = async ({ tenantId, runId, attempt }: HarvestLease, text: string, more: readonly unknown[] = []) =>
    database.withTenant(tenantId, (transaction) => transaction.query(text, [tenantId, runId, attempt, ...more]));

  return {
    requestDue: ({ reason, olderThanMs, tenantName }) =>
      referencesOf(
        database.acrossTenants((transaction) =>
          transaction.query(REQUEST_DUE, [reason, olderThanMs, tenantName ?? null]),
        ),
      ),
    findWaiting: () => referencesOf(database.acrossTenants((transaction) => transaction.query(FIND_WAITING))),
    async claim({ tenantId, runId }, leaseMs) {
      const [row] = await database.withTenant(tenantId, (transaction) =>
        transaction.query<Claimed>(CLAIM, [tenantId, runId, leaseMs]),
      );
      return row && { lease: { tenantId, runId, attempt: row.attempt }, after: positionOf(row) };
    },
    renew: async (lease, leaseMs) => (await ofLease(lease, RENEW, [leaseMs])).length > 0,
    async release(lease) {
      await ofLease(lease, RELEASE);
    },
    async finish(lease, error) {
      await ofLease(lease, FINISH, [error === undefined ? null : JSON.stringify(error)]);
    },
    async deleteOld() {
      await database.acrossTenants((transaction) => transaction.query(DELETE_OLD));
    },
  };
}
