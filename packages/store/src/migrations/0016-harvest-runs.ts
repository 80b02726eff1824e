import type { SchemaStep } from './migration.ts';
import { tenantRowsOnly } from './row-level-security.ts';

/**
 * A harvest run. At most one per tenant is open. The host that works on it holds it until `held_until` under the number of its attempt, and
 * its writes succeed only while both are unchanged. The job queue only notifies hosts to look here.
 */
export const harvestRunsStep: SchemaStep = {
  name: '0016-harvest-runs',
  sql: `
    create table harvest_runs (
      tenant_id uuid not null references tenants (id) on delete cascade,
      run_id uuid not null,
      state text not null default 'QUEUED' check (state in ('QUEUED', 'RUNNING', 'FINISHED', 'FAILED')),
      reason text not null check (reason in ('start', 'schedule', 'request')),
      requested_by text,
      requested timestamptz not null default now(),
      started timestamptz,
      ended timestamptz,
      attempt integer not null default 0,
      held_until timestamptz,
      last_catalog text,
      last_schema text,
      last_table text,
      tables_seen bigint not null default 0,
      columns_seen bigint not null default 0,
      tables_changed bigint not null default 0,
      tables_absent bigint not null default 0,
      names_skipped bigint not null default 0,
      error jsonb,
      primary key (tenant_id, run_id)
    );
    create unique index harvest_runs_open on harvest_runs (tenant_id) where state in ('QUEUED', 'RUNNING');
    create index harvest_runs_by_time on harvest_runs (tenant_id, requested desc);
    ${tenantRowsOnly('harvest_runs')}

    update roles set permissions = permissions || array['catalog:harvest']
      where name = 'admin' and not permissions @> array['catalog:harvest'];
  `,
};
