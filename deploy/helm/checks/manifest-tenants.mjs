/** The tenants of a cluster of manifests, and the accounts of their administrators. */
import assert from 'node:assert/strict';
import { send } from './manifest-cluster.mjs';
import { DOMAIN, TENANTS } from './manifest-fixture.mjs';

export const PASSWORD = 'a password of the manifest test';

export const hostOf = (tenant, suffix) => `${tenant}-${suffix}.${DOMAIN}`;
export const emailOf = (tenant) => `ann@${tenant}.example`;
export const basic = (email) => ({ authorization: `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}` });
export const json = { 'content-type': 'application/json' };

/** Runs the command of the chart's notes for each tenant. Their first administrators accept the invitation and set a password. */
export async function createTenants(cluster, api) {
  for (const tenant of TENANTS) {
    const command = ['node', 'dist/commands/tenant-main.js', 'create', tenant, '--admin', emailOf(tenant)];
    const { code, output } = await cluster.exec('api-host', command);
    assert.equal(code, 0, output);
    const link = new URL(output.trim().split('\n').at(-1));
    assert.equal(link.origin, `https://${hostOf(tenant, 'api')}`);
    const body = JSON.stringify({ ...Object.fromEntries(link.searchParams), password: PASSWORD });
    const accepted = await send(`${api.url}${link.pathname}`, {
      host: hostOf(tenant, 'api'),
      method: 'POST',
      headers: json,
      body,
    });
    assert.equal(accepted.status, 200, accepted.text);
  }
}
