import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { adminTest, recordsOf } from '@sluice/testkit/fixtures';

const fixture = adminTest();

const apply = (body: unknown) => fixture.admin.ask({ method: 'POST', path: '/apply', body });
const idsOf = () => {
  const suffix = randomUUID().slice(0, 8);
  return { portal: `portal-${suffix}`, reports: `reports-${suffix}` };
};
const fileOf = ({ portal, reports }: ReturnType<typeof idsOf>) => ({
  oauth_clients: [
    {
      client_id: portal,
      name: 'Portal',
      type: 'confidential',
      redirect_uris: ['https://portal.example.com/a', 'https://portal.example.com/b'],
      scopes: ['openid', 'query:run'],
    },
    { client_id: reports, name: 'Reports', type: 'public', redirect_uris: ['http://127.0.0.1/callback'] },
  ],
});

describe('the programs of a configuration file', () => {
  it('are registered with a secret if they are confidential, and unchanged when the file is applied again', async () => {
    const ids = idsOf();
    const made = await apply(fileOf(ids));
    expect(made.status).toBe(200);
    const after = { name: 'Reports', type: 'public', redirect_uris: ['http://127.0.0.1/callback'], home_page: null };
    expect(made.body.changes).toEqual([
      expect.objectContaining({
        kind: 'oauth_client',
        name: ids.portal,
        action: 'create',
        client_secret: expect.stringMatching(/^[\w-]{43}$/),
      }),
      {
        kind: 'oauth_client',
        name: ids.reports,
        action: 'create',
        before: null,
        after: { ...after, scopes: null },
        invitation: null,
        client_secret: null,
      },
    ]);
    const file = fileOf(ids);
    for (const { redirect_uris: uris, scopes } of file.oauth_clients) {
      uris.reverse();
      scopes?.reverse();
    }
    const again = await apply(file);
    expect(again.body).toMatchObject({ created_count: 0, updated_count: 0, unchanged_count: 2 });
    expect((await recordsOf(fixture.test, again)).map(([action]) => action)).toEqual(['APPLY_CONFIGURATION']);
  });

  it('change what differs, and keep fields that the file does not name', async () => {
    const ids = idsOf();
    await apply(fileOf(ids));
    const [portal] = fileOf(ids).oauth_clients;
    const { scopes: _scopes, ...named } = portal ?? {};
    const answer = await apply({ oauth_clients: [{ ...named, name: 'New portal' }] });
    expect(answer.body.changes).toMatchObject([
      {
        action: 'update',
        before: { name: 'Portal', scopes: ['openid', 'query:run'] },
        after: { name: 'New portal', scopes: ['openid', 'query:run'] },
        client_secret: null,
      },
    ]);
    expect((await recordsOf(fixture.test, answer)).map(([action]) => action)).toEqual([
      'UPDATE_OAUTH_CLIENT',
      'APPLY_CONFIGURATION',
    ]);
  });

  it('come with the setting for programs that are not registered', async () => {
    const allowed = { client_metadata_documents: 'allowed' };
    const changes = async (oauth: object) => (await apply({ oauth })).body.changes;
    const [change] = await changes(allowed);
    expect(change).toMatchObject({ kind: 'oauth_settings', action: 'update', after: allowed });
    expect(await changes(allowed)).toMatchObject([{ action: 'none' }]);
    expect((await fixture.admin.ask({ path: '/oauth-settings' })).body).toEqual(allowed);
    expect(await changes({ client_metadata_documents: 'refused' })).toMatchObject([{ action: 'update' }]);
    expect((await apply({ oauth: { client_metadata_documents: 'maybe' } })).body.details[0].path).toBe(
      'body.oauth.client_metadata_documents',
    );
  });

  it('are not registered by a dry run', async () => {
    const ids = idsOf();
    const answer = await apply({ ...fileOf(ids), dry_run: true });
    expect(answer.body).toMatchObject({ dry_run: true, created_count: 2 });
    expect(answer.body.changes[0].client_secret).toBeNull();
    const { body } = await fixture.admin.ask({ path: `/oauth-clients?q=${ids.portal}` });
    expect(body.total).toBe(0);
  });

  it('keep their type, and have addresses of their type: any other file changes nothing', async () => {
    const ids = idsOf();
    await apply(fileOf(ids));
    const [portal, reports] = fileOf(ids).oauth_clients;
    const pathsOf = async (oauth_clients: unknown) => {
      const { status, body } = await apply({ roles: [{ name: `r-${ids.portal}`, permissions: [] }], oauth_clients });
      return [status, body.details?.map(({ path }: { path: string }) => path)];
    };
    expect(
      await pathsOf([portal, { ...reports, type: 'confidential', redirect_uris: ['https://x.example/'] }]),
    ).toEqual([400, ['body.oauth_clients[1].type']]);
    expect(await pathsOf([{ ...portal, redirect_uris: ['http://127.0.0.1/'] }])).toEqual([
      400,
      ['body.oauth_clients[0].redirect_uris'],
    ]);
    expect(await pathsOf([{ ...portal, redirect_uris: ['https://x.example/#x'] }, portal])).toEqual([
      400,
      ['body.oauth_clients[0].redirect_uris[0]', 'body.oauth_clients'],
    ]);
    expect((await fixture.admin.ask({ path: `/roles/r-${ids.portal}` })).status).toBe(404);
  });
});
