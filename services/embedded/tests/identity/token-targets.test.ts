import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { reservePort, send } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { authorizeProgram, postForm } from '@sluice/testkit/requests';

let hosts: TestHosts;
beforeAll(async () => {
  const port = await reservePort();
  const apiSettings = { STREAM_PUBLIC_URL: `http://127.0.0.1:${port}` };
  hosts = await startHosts({ STREAM_PORT: String(port) }, { apiSettings });
}, 120_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());

const statusesOf = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  const answers = [await send(`${hosts.api.url}/me`, { headers }), await send(`${hosts.url}/me`, { headers })];
  return answers.map(({ status }) => status);
};
const tokenUrl = () => `${hosts.api.url}/auth/acme/oauth2/token`;

it('each host rejects an access token that is for the other', async () => {
  const form = await authorizeProgram(hosts.api.url, hosts.ann, 'query:run openid');
  const first = (await postForm(tokenUrl(), { ...form, resource: hosts.url })).body;
  expect(await statusesOf(first.access_token)).toEqual([401, 200]);
  const { client_id } = form;
  const refresh = async (refreshToken: string, fields: Record<string, string> = {}) =>
    (
      await postForm(tokenUrl(), {
        grant_type: 'refresh_token',
        client_id: client_id ?? '',
        refresh_token: refreshToken,
        ...fields,
      })
    ).body;
  const second = await refresh(first.refresh_token, { resource: hosts.api.url });
  expect(await statusesOf(second.access_token)).toEqual([200, 401]);
  const third = await refresh(second.refresh_token);
  expect(await statusesOf(third.access_token)).toEqual([200, 200]);
});

it('no host accepts the ID token of a program', async () => {
  const form = await authorizeProgram(hosts.api.url, hosts.ann, 'query:run openid');
  const { id_token: idToken } = (await postForm(tokenUrl(), form)).body;
  expect(await statusesOf(idToken)).toEqual([401, 401]);
  for (const url of [hosts.api.url, hosts.url])
    expect((await send(`${url}/me`, { headers: { idtoken: idToken } })).status).toBe(401);
});
