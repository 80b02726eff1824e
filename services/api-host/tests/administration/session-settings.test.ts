import { describe, expect, it } from '@jest/globals';
import { send } from '@sluice/testkit';
import { type Admin, adminTest, auditRecords } from '@sluice/testkit/fixtures';

const PATH = '/session-settings';
const MAX = { idle_minutes: 1440, absolute_hours: 24 };
const NONE = { idle_minutes: null, absolute_hours: null };
const SHORT = { idle_minutes: 30, absolute_hours: 8 };

const fixture = adminTest({ SESSION_LIFETIME: '1d', SSO_SESSION_LIFETIME: '12h' });

const settings = (caller: Admin = fixture.admin) => caller.ask({ path: PATH });
const put = (body: unknown, ifMatch?: string) =>
  fixture.admin.ask({ method: 'PUT', path: PATH, body, ...(ifMatch === undefined ? {} : { ifMatch }) });

describe('/admin/session-settings', () => {
  it('has no lifetimes until the tenant sets them, which is a recorded change of this tenant only', async () => {
    const { test, admin, otherTenantAdmin } = fixture;
    const before = await settings();
    expect([before.status, before.body]).toEqual([200, { ...NONE, max: MAX }]);
    expect(await auditRecords(test, before)).toMatchObject([{ action: 'READ_SESSION_SETTINGS', target: 'acme' }]);
    const changed = await put(SHORT);
    expect([changed.status, changed.body]).toEqual([200, { ...SHORT, max: MAX }]);
    expect(await auditRecords(test, changed)).toEqual([
      {
        action: 'UPDATE_SESSION_SETTINGS',
        target: 'acme',
        user_name: admin.email,
        metadata: { before: NONE, after: SHORT },
      },
    ]);
    expect((await settings()).body).toEqual({ ...SHORT, max: MAX });
    expect((await settings(otherTenantAdmin)).body).toEqual({ ...NONE, max: MAX });
    expect((await put({})).body).toEqual({ ...NONE, max: MAX });
  });

  it('is a section of a configuration file, which records a change only', async () => {
    const { test, admin } = fixture;
    const apply = (body: object) => admin.ask({ method: 'POST', path: '/apply', body });
    const changesOf = async (body: object) => {
      const answer = await apply(body);
      expect(answer.status).toBe(200);
      return { changes: answer.body.changes, records: (await auditRecords(test, answer)).map(({ action }) => action) };
    };
    const planned = await changesOf({ sessions: SHORT, dry_run: true });
    expect(planned.changes).toMatchObject([
      { kind: 'session_settings', name: 'acme', action: 'update', before: NONE, after: SHORT },
    ]);
    expect((await settings()).body).toMatchObject(NONE);
    const applied = await changesOf({ sessions: SHORT });
    expect(applied.changes).toEqual(planned.changes);
    expect(applied.records.toSorted()).toEqual(['APPLY_CONFIGURATION', 'UPDATE_SESSION_SETTINGS']);
    const again = await changesOf({ sessions: SHORT });
    expect(again.changes).toMatchObject([{ action: 'none', before: SHORT, after: SHORT }]);
    expect(again.records).toEqual(['APPLY_CONFIGURATION']);
    const rejected = await apply({ sessions: { idle_minutes: 1441, absolute_hours: 25 } });
    expect([rejected.status, rejected.body.details]).toEqual([
      400,
      [
        {
          path: 'body.sessions.idle_minutes',
          message: 'must be at most 1440, the SESSION_LIFETIME of the deployment',
          line: 1,
        },
        {
          path: 'body.sessions.absolute_hours',
          message: 'must be at most 24, the SESSION_LIFETIME of the deployment',
          line: 1,
        },
      ],
    ]);
    for (const sessions of [{ idle_minutes: 'often' }, null, [], { ...SHORT, more: 1 }])
      expect((await apply({ sessions })).status).toBe(400);
    expect((await settings()).body).toMatchObject(SHORT);
    await put({});
  });

  it.each([
    [{ idle_minutes: 4 }, 'idle_minutes must be at least 5'],
    [{ idle_minutes: 5.5 }, 'idle_minutes must be an integer'],
    [{ idle_minutes: '30' }, 'idle_minutes must be an integer'],
    [{ idle_minutes: 1441 }, 'must be at most 1440, the SESSION_LIFETIME of the deployment'],
    [{ absolute_hours: 0 }, 'absolute_hours must be at least 1'],
    [{ absolute_hours: 25 }, 'must be at most 24, the SESSION_LIFETIME of the deployment'],
    [{ absolute_hours: 1e300 }, 'absolute_hours must be at most'],
    [{ idle_hours: 1 }, 'idle_hours'],
    [null, 'must be'],
  ])('returns 400 for %p', async (body, message) => {
    const answer = await put(body);
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(message)]);
  });

  it('returns 412 for settings that were changed meanwhile, and changes nothing', async () => {
    const etag = String((await settings()).headers['etag']);
    expect((await put(SHORT, etag)).status).toBe(200);
    const stale = await put({}, etag);
    expect([stale.status, stale.body.error]).toEqual([412, 'precondition_failed']);
    expect(await auditRecords(fixture.test, stale)).toEqual([]);
    expect((await settings()).body).toMatchObject(SHORT);
    expect((await put({}, '*')).status).toBe(200);
  });

  it('returns 403 without admin, and 401 without a token', async () => {
    await fixture.expectDenied([{ path: PATH }, { method: 'PUT', path: PATH, body: SHORT }]);
    expect((await send(`${fixture.test.url}/admin/session-settings`)).status).toBe(401);
  });
});
