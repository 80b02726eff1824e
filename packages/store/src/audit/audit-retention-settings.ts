import type { RetentionSettings } from '@sluice/audit';
import { ProblemError } from '@sluice/contract';
import type pg from 'pg';
import { inTransaction, withConnection } from './audit-connection.ts';
import { auditValues, INSERT_AUDIT } from './audit-store.ts';

const SETTINGS = `
  select t.id, r.kept_ms::float8 as kept_ms, t.settings -> 'auditRetentionMs' as tenant_ms
  from audit_retention r, tenants t where $1::text is null or t.name = $1 order by t.id for update of t`;
const SET_FLOOR = 'update audit_retention set kept_ms = $1';
const SET_OWN = `
  update tenants set settings = case when $2::float8 is null then settings - 'auditRetentionMs'
    else jsonb_set(settings, '{auditRetentionMs}', to_jsonb($2::bigint)) end
  where id = $1`;

interface TenantSettingsRow extends RetentionSettings {
  readonly id: string;
}

interface RetentionChange {
  readonly tenantId: string;
  readonly user: string;
  readonly before: RetentionSettings;
  readonly after: RetentionSettings;
}

const record = (client: pg.Client, { tenantId, user, before, after }: RetentionChange): Promise<unknown> =>
  client.query(
    INSERT_AUDIT,
    auditValues({
      tenantId,
      user,
      action: 'UPDATE_AUDIT_RETENTION',
      target: 'audit_log',
      metadata: { before, after },
    }),
  );

const find = async (client: pg.Client, tenantName: string | null): Promise<readonly TenantSettingsRow[]> =>
  (await client.query<TenantSettingsRow>(SETTINGS, [tenantName])).rows;

/**
 * Sets the minimum age of records that any host may drop, whatever its settings. Needs the owner's connection. The same transaction writes
 * a record into the log of every tenant, because the verifier compares the settings with the records.
 */
export function setRetentionFloor(floor: {
  readonly ownerUrl: string;
  readonly keptMs: number;
  /** Name of the user in the record. */
  readonly user: string;
}): Promise<void> {
  const { ownerUrl, keptMs, user } = floor;
  return withConnection(ownerUrl, (client) =>
    inTransaction(client, async () => {
      await client.query('select from audit_retention for update');
      for (const { id: tenantId, ...before } of await find(client, null)) {
        if (before.kept_ms === keptMs) continue;
        await record(client, { tenantId, user, before, after: { ...before, kept_ms: keptMs } });
      }
      await client.query(SET_FLOOR, [keptMs]);
    }),
  );
}

/**
 * Sets for how long the records of a tenant are shown. `undefined` restores the setting of the hosts. Writes a record as
 * `setRetentionFloor` does. Throws `not_found`.
 */
export function setTenantRetention(retention: {
  readonly ownerUrl: string;
  readonly tenantName: string;
  readonly retentionMs: number | undefined;
  readonly user: string;
}): Promise<void> {
  const { ownerUrl, tenantName, retentionMs, user } = retention;
  const own = retentionMs ?? null;
  return withConnection(ownerUrl, (client) =>
    inTransaction(client, async () => {
      const [found] = await find(client, tenantName);
      if (found === undefined) throw new ProblemError('not_found', `There is no tenant ${tenantName}.`);
      const { id: tenantId, ...before } = found;
      if (before.tenant_ms === own) return;
      await record(client, { tenantId, user, before, after: { ...before, tenant_ms: own } });
      await client.query(SET_OWN, [tenantId, own]);
    }),
  );
}
