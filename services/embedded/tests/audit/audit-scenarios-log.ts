import { randomUUID } from 'node:crypto';
import { setTenantRetention } from '@sluice/store/audit';
import { until } from '@sluice/testkit';
import { logIn } from '@sluice/testkit/requests';
import type { Scenarios } from './scenario-runner.ts';

const TARGET = 'audit_log';
const DAY_MS = 86_400_000;

/** All filters of a search, with the metadata of its record. */
function narrowing() {
  const now = Date.now();
  const range = { start: now - DAY_MS, end: now + DAY_MS };
  const options = {
    user_name: 'somebody@example.com',
    action: 'LOGIN',
    actions: ['LOGIN', 'LOGOUT'],
    exclude_actions: ['LOGOUT'],
    target: 'somebody@example.com',
    request_id: 'req-1',
    query_id: randomUUID(),
    text: 'some words',
    reads: 'demo.vega.flights',
  };
  return { asked: { ...range, advance_options: options }, recorded: { ...range, ...options } };
}

/** Actions that read the audit log. */
export const logScenarios: Scenarios = {
  async SEARCH_AUDIT_LOGS({ act, person }) {
    const by = await person(['auditor']);
    const { asked, recorded } = narrowing();
    const search = { action: 'SEARCH_AUDIT_LOGS', by } as const;
    const path = '/audits/logs/search';
    await act({
      ...search,
      path,
      body: { size: 2, sort_value: 'asc', ...asked },
      record: () => ({
        target: TARGET,
        metadata: { size: 2, sort_value: 'asc', ...recorded, page: 1, records: 0, total: 0 },
      }),
    });
    // The logins of two sessions are the two records.
    await person(['auditor']);
    const start = Date.now() - DAY_MS;
    const first = await act({
      ...search,
      path,
      body: { size: 1, start },
      record: ({ body: { total } }) => ({
        target: TARGET,
        metadata: { size: 1, sort_value: 'desc', start, page: 1, records: 1, total },
      }),
    });
    await act({
      ...search,
      path: `${path}?page_token=${first.body.next_page_token}`,
      record: ({ body: { total } }) => ({
        target: TARGET,
        metadata: { size: 1, sort_value: 'desc', start, page: 2, records: 1, total },
      }),
    });
  },
  async EXPORT_AUDIT_LOGS({ act, person }) {
    const { asked, recorded } = narrowing();
    await act({
      action: 'EXPORT_AUDIT_LOGS',
      by: await person(['auditor']),
      path: '/audits/logs/export',
      body: { format: 'csv', raw: true, ...asked },
      record: () => ({ target: TARGET, metadata: { format: 'csv', raw: true, ...recorded } }),
    });
  },
  async SUMMARIZE_AUDIT_LOGS({ act, person }) {
    const end = Date.now();
    const start = end - DAY_MS;
    await act({
      action: 'SUMMARIZE_AUDIT_LOGS',
      by: await person(['auditor']),
      path: `/audits/summary?by=table&start=${start}&end=${end}&size=3`,
      record: ({ body: { total } }) => ({ target: TARGET, metadata: { by: 'table', start, end, size: 3, total } }),
    });
  },
  async EXPORT_AUDIT_EVIDENCE({ act, person }) {
    const end = Date.now();
    const start = end - DAY_MS;
    await act({
      action: 'EXPORT_AUDIT_EVIDENCE',
      by: await person(['auditor']),
      path: `/audits/evidence?start=${start}&end=${end}`,
      record: () => ({ target: TARGET, metadata: { start, end } }),
    });
  },
  async UPDATE_AUDIT_RETENTION({ command, hosts }) {
    const { ownerUrl } = hosts.testDatabase;
    const kept_ms = 400 * DAY_MS;
    for (const [before, after] of [
      [null, 300 * DAY_MS],
      [300 * DAY_MS, null],
    ] as const) {
      const retentionMs = after ?? undefined;
      await command(
        'UPDATE_AUDIT_RETENTION',
        () => setTenantRetention({ ownerUrl, tenantName: 'acme', retentionMs, user: 'operator' }),
        {
          target: TARGET,
          metadata: { before: { kept_ms, tenant_ms: before }, after: { kept_ms, tenant_ms: after } },
        },
      );
    }
  },
  async SET_ASIDE_AUDIT_ENTRIES({ command, hosts }) {
    const sequence = 1_000_000;
    const [added] = await hosts.rows<{ record_id: string }>(
      `insert into audit_chain (tenant_id, sequence, occurred, record_id, hash)
       values ($1, $2, now(), gen_random_uuid(), sha256('')) returning record_id`,
      [hosts.acme.id, sequence],
    );
    const user = await hosts.build.user(hosts.acme);
    const sealAnother = async (): Promise<void> => {
      await logIn(hosts, user);
      const find = async () => (await hosts.rows('select from audit_set_aside'))[0];
      await until(find, { what: 'the removal of the forged entry' });
    };
    await command('SET_ASIDE_AUDIT_ENTRIES', sealAnother, {
      user: 'sluice',
      target: TARGET,
      metadata: { entries: 1, checkpoints: 0, first_entries: [{ sequence, ...added }], first_checkpoints: [] },
    });
  },
  async FOLLOW_AUDIT_LOGS({ act, person }) {
    await act({
      action: 'FOLLOW_AUDIT_LOGS',
      by: await person(['auditor']),
      path: '/audits/logs/stream?after=0&reads=demo.vega.',
      leaves: true,
      record: () => ({ target: TARGET, metadata: { after: 0, reads: 'demo.vega.' } }),
    });
    const { advance_options: options } = narrowing().asked;
    const texts = Object.entries(options).map(([name, value]) => [name, String(value)] as const);
    const query = new URLSearchParams(Object.fromEntries(texts));
    await act({
      action: 'FOLLOW_AUDIT_LOGS',
      by: await person(['auditor']),
      path: `/audits/logs/stream?after=0&${query}`,
      leaves: true,
      record: () => ({ target: TARGET, metadata: { after: 0, ...options } }),
    });
  },
  async READ_AUDIT_CHECKPOINTS({ act, person }) {
    await act({
      action: 'READ_AUDIT_CHECKPOINTS',
      by: await person(['auditor']),
      path: '/audits/checkpoints?after=0&size=5',
      record: ({ body }) => ({
        target: TARGET,
        metadata: { after: 0, size: 5, checkpoints: body.data.length },
      }),
    });
  },
};
