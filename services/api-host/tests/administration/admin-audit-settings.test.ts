import { describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { type Admin, adminTest, auditRecords } from '@sluice/testkit/fixtures';

const RECORDED = { metadata_reads: 'recorded' };
const NOT_RECORDED = { metadata_reads: 'not_recorded' };
const PATH = '/audit-settings';

const fixture = adminTest({});

const settings = (caller: Admin = fixture.admin) => caller.ask({ path: PATH });
const put = (body: unknown, ifMatch?: string) =>
  fixture.admin.ask({ method: 'PUT', path: PATH, body, ...(ifMatch === undefined ? {} : { ifMatch }) });

describe('/admin/audit-settings', () => {
  it('records reads of metadata until the tenant chooses otherwise, which is a recorded change of this tenant only', async () => {
    const { test, admin, otherTenantAdmin } = fixture;
    const before = await settings();
    expect([before.status, before.body]).toEqual([200, RECORDED]);
    expect(await auditRecords(test, before)).toMatchObject([{ action: 'READ_AUDIT_SETTINGS', target: 'acme' }]);
    const changed = await put(NOT_RECORDED);
    expect([changed.status, changed.body]).toEqual([200, NOT_RECORDED]);
    expect(await auditRecords(test, changed)).toEqual([
      {
        action: 'UPDATE_AUDIT_SETTINGS',
        target: 'acme',
        user_name: admin.email,
        metadata: { before: RECORDED, after: NOT_RECORDED },
      },
    ]);
    expect((await settings()).body).toEqual(NOT_RECORDED);
    expect((await settings(otherTenantAdmin)).body).toEqual(RECORDED);
    expect((await put(RECORDED)).body).toEqual(RECORDED);
  });

  it('is a section of a configuration file, which records a change only', async () => {
    const { test, admin } = fixture;
    const apply = (body: object) => admin.ask({ method: 'POST', path: '/apply', body });
    const changesOf = async (body: object) => {
      const answer = await apply(body);
      expect(answer.status).toBe(200);
      return { changes: answer.body.changes, records: (await auditRecords(test, answer)).map(({ action }) => action) };
    };
    const planned = await changesOf({ audit: NOT_RECORDED, dry_run: true });
    expect(planned.changes).toMatchObject([
      { kind: 'audit_settings', name: 'acme', action: 'update', before: RECORDED, after: NOT_RECORDED },
    ]);
    expect((await settings()).body).toEqual(RECORDED);
    const applied = await changesOf({ audit: NOT_RECORDED });
    expect(applied.changes).toEqual(planned.changes);
    expect(applied.records.toSorted()).toEqual(['APPLY_CONFIGURATION', 'UPDATE_AUDIT_SETTINGS']);
    const again = await changesOf({ audit: NOT_RECORDED });
    expect(again.changes).toMatchObject([{ action: 'none', before: NOT_RECORDED, after: NOT_RECORDED }]);
    expect(again.records).toEqual(['APPLY_CONFIGURATION']);
    expect((await changesOf({})).changes).toEqual([]);
    expect((await settings()).body).toEqual(NOT_RECORDED);
    for (const audit of [{}, { metadata_reads: 'sometimes' }, null, [], { ...RECORDED, more: 1 }]) {
      const rejected = await apply({ audit });
      expect([rejected.status, rejected.body.error]).toEqual([400, 'invalid_request']);
    }
    await put(RECORDED);
  });

  it.each([
    [{}, 'metadata_reads must be recorded or not_recorded'],
    [{ metadata_reads: true }, 'metadata_reads must be recorded or not_recorded'],
    [{ metadata_reads: 'RECORDED' }, 'metadata_reads must be recorded or not_recorded'],
    [{ ...RECORDED, data_reads: 'not_recorded' }, 'data_reads'],
  ])('returns 400 for %p', async (body, message) => {
    const answer = await put(body);
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(message)]);
  });

  it('returns 412 for settings that were changed meanwhile, and changes nothing', async () => {
    const etag = String((await settings()).headers['etag']);
    expect((await put(NOT_RECORDED, etag)).status).toBe(200);
    const stale = await put(RECORDED, etag);
    expect([stale.status, stale.body.error]).toEqual([412, 'precondition_failed']);
    expect(await auditRecords(fixture.test, stale)).toEqual([]);
    expect((await settings()).body).toEqual(NOT_RECORDED);
    expect((await put(RECORDED, '*')).status).toBe(200);
  });

  it('returns 403 without admin, and 401 without a token', async () => {
    await fixture.expectDenied([{ path: PATH }, { method: 'PUT', path: PATH, body: RECORDED }]);
    expect((await send(`${fixture.test.url}/admin/audit-settings`)).status).toBe(401);
  });
});
