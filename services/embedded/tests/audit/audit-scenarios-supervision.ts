import { randomUUID } from 'node:crypto';
import type { TestHosts } from '@sluice/testkit/hosts';
import { logIn, startQuery } from '@sluice/testkit/requests';
import { ENDLESS } from '@sluice/testkit/statements';
import { type Scenarios, sessionOf } from './scenario-runner.ts';

const NO_LIMITS = {
  query_time_ms: null,
  queries_per_user: null,
  queries_per_tenant: null,
  rows_max: null,
  bytes_max: null,
  keep_time_ms: null,
  kept_bytes_max: null,
  console_keep_ms: null,
};

/** Actions of admins on the queries, sessions and limits of their tenant, and reads of the catalog. */
export const supervisionScenarios: Scenarios = {
  async READ_QUERIES({ act, person }) {
    await act({
      action: 'READ_QUERIES',
      by: await person(['admin']),
      host: 'stream',
      path: '/admin/queries',
      record: () => ({ target: 'acme', metadata: {} }),
    });
  },
  async CANCEL_QUERY({ act, person, hosts }) {
    const by = await person(['analyst']);
    const admin = await person(['admin']);
    const own = await startQuery(hosts.url, ENDLESS, by.credential);
    const cancel = { action: 'CANCEL_QUERY', host: 'stream', method: 'DELETE', status: 202 } as const;
    await act({
      ...cancel,
      by,
      path: `/query/${own.queryId}`,
      record: () => ({ target: own.queryId, queryId: own.queryId, metadata: {} }),
    });
    await own.text;
    const other = await startQuery(hosts.url, ENDLESS, by.credential);
    await act({
      ...cancel,
      by: admin,
      path: `/admin/queries/${other.queryId}`,
      record: () => ({ target: other.queryId, queryId: other.queryId, metadata: { by_admin: true } }),
    });
    await other.text;
    const killed = await startQuery(hosts.url, ENDLESS, by.credential);
    await act({
      action: 'CANCEL_QUERY',
      by,
      host: 'stream',
      path: '/v1/statement',
      text: `CALL system.runtime.kill_query('${killed.queryId}', 'enough')`,
      record: () => ({
        target: killed.queryId,
        queryId: killed.queryId,
        metadata: { kill_message: 'enough' },
      }),
    });
    await killed.text;
  },
  async READ_SESSIONS({ act, person }) {
    await act({
      action: 'READ_SESSIONS',
      by: await person(['admin']),
      path: '/admin/sessions?size=2',
      record: () => ({ target: 'acme', metadata: { size: 2 } }),
    });
    const other = await person(['analyst']);
    await act({
      action: 'READ_SESSIONS',
      by: await person(['admin']),
      path: `/admin/sessions?account_id=${other.id}`,
      record: () => ({ target: other.name, metadata: { size: 100, account_id: other.id } }),
    });
  },
  async END_SESSION({ act, person, hosts }) {
    const ended = await person(['analyst']);
    const again = sessionOf(
      (await logIn(hosts, { id: ended.id, email: ended.name, password: ended.password })).id_token,
    );
    await act({
      action: 'END_SESSION',
      by: ended,
      method: 'DELETE',
      path: `/me/sessions/${again}`,
      status: 204,
      record: () => ({ target: ended.name, metadata: { session_id: again } }),
    });
    await act({
      action: 'END_SESSION',
      by: await person(['admin']),
      method: 'DELETE',
      path: `/admin/sessions/${ended.sessionId}`,
      status: 204,
      record: () => ({ target: ended.name, metadata: { session_id: ended.sessionId } }),
    });
  },
  async END_SESSIONS({ act, person }) {
    const ended = await person(['analyst']);
    await act({
      action: 'END_SESSIONS',
      by: await person(['admin']),
      method: 'POST',
      path: '/admin/sessions/end',
      body: { account_id: ended.id },
      record: () => ({ target: ended.name, metadata: { account_id: ended.id, ended_count: 1 } }),
    });
  },
  async READ_LIMITS({ act, person }) {
    await act({
      action: 'READ_LIMITS',
      by: await person(['admin']),
      path: '/admin/limits',
      record: () => ({ target: 'acme', metadata: {} }),
    });
  },
  async UPDATE_LIMITS({ act, person }) {
    const change = {
      action: 'UPDATE_LIMITS',
      by: await person(['admin']),
      method: 'PUT',
      path: '/admin/limits',
    } as const;
    const limits = { ...NO_LIMITS, rows_max: 1_000_000 };
    await act({
      ...change,
      body: { rows_max: 1_000_000 },
      record: () => ({ target: 'acme', metadata: { before: NO_LIMITS, after: limits } }),
    });
    await act({
      ...change,
      body: {},
      record: () => ({ target: 'acme', metadata: { before: limits, after: NO_LIMITS } }),
    });
  },
  async READ_SESSION_SETTINGS({ act, person }) {
    await act({
      action: 'READ_SESSION_SETTINGS',
      by: await person(['admin']),
      path: '/admin/session-settings',
      record: () => ({ target: 'acme', metadata: {} }),
    });
  },
  async UPDATE_SESSION_SETTINGS({ act, person }) {
    const none = { idle_minutes: null, absolute_hours: null };
    await act({
      action: 'UPDATE_SESSION_SETTINGS',
      by: await person(['admin']),
      method: 'PUT',
      path: '/admin/session-settings',
      body: none,
      record: () => ({ target: 'acme', metadata: { before: none, after: none } }),
    });
  },
  async READ_AUDIT_SETTINGS({ act, person }) {
    await act({
      action: 'READ_AUDIT_SETTINGS',
      by: await person(['admin']),
      path: '/admin/audit-settings',
      record: () => ({ target: 'acme', metadata: {} }),
    });
  },
  async UPDATE_AUDIT_SETTINGS({ act, person }) {
    const recorded = { metadata_reads: 'recorded' };
    await act({
      action: 'UPDATE_AUDIT_SETTINGS',
      by: await person(['admin']),
      method: 'PUT',
      path: '/admin/audit-settings',
      body: recorded,
      record: () => ({ target: 'acme', metadata: { before: recorded, after: recorded } }),
    });
  },
  async READ_CATALOG({ act, person, hosts }) {
    await makeTable(hosts);
    const by = await person(['analyst']);
    const read = { action: 'READ_CATALOG', by } as const;
    await act({
      ...read,
      path: '/catalog?prefix=sc&size=5',
      record: () => ({ target: 'catalog', metadata: { prefix: 'sc', size: 5 } }),
    });
    await act({
      ...read,
      host: 'stream',
      path: '/v1/statement',
      text: 'SHOW CATALOGS',
      record: () => ({ target: 'catalog', metadata: { sql: 'SHOW CATALOGS', within_s: 60 } }),
    });
    await act({
      ...read,
      path: '/catalog/scenario/main',
      record: () => ({ target: 'main', metadata: { catalog: 'scenario', schema: 'main', size: 100 } }),
    });
    await act({
      ...read,
      path: '/catalog/scenario/main/t',
      record: () => ({ target: 'scenario.main.t', metadata: { catalog: 'scenario', schema: 'main', table: 't' } }),
    });
    const steward = { ...read, by: await person(['steward']) };
    await act({
      ...steward,
      path: '/metadata/changes?type=TABLE&id=scenario.main.t&size=5',
      record: () => ({ target: 'scenario.main.t', metadata: { type: 'TABLE', from: 0, size: 5 } }),
    });
    await act({
      ...steward,
      path: '/metadata/undescribed?catalog=scenario&schema=main&size=5',
      record: () => ({
        target: 'undescribed',
        metadata: { catalog: 'scenario', schema: 'main', from: 0, size: 5 },
      }),
    });
  },
};

async function makeTable(hosts: TestHosts): Promise<void> {
  const { id: tenantId } = hosts.acme;
  const factId = randomUUID();
  await hosts.rows(
    `insert into catalogs (tenant_id, catalog_id, name, vendor_name, location) values ($1, $2, 'scenario', 'duckdb', 'localhost')`,
    [tenantId, randomUUID()],
  );
  await hosts.rows(`insert into catalog_schemas (tenant_id, catalog_name, name) values ($1, 'scenario', 'main')`, [
    tenantId,
  ]);
  await hosts.rows(`insert into facts (tenant_id, fact_id, type) values ($1, $2, 'TABLE')`, [tenantId, factId]);
  await hosts.rows(
    `insert into catalog_tables (tenant_id, fact_id, catalog_name, schema_name, name) values ($1, $2, 'scenario', 'main', 't')`,
    [tenantId, factId],
  );
}
