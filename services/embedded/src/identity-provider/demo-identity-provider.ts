import { DEMO_PASSWORD } from '../accounts.ts';
import { DEMO_TENANTS, type DemoTenant, readDemoAccounts } from '../demo/demo-files.ts';
import type { IdentityProviderOptions, Person, RegisteredClient } from './order.ts';

/** As the files of the demo have it. */
const CLIENT_SECRET = 'sluice-demo-secret';

/** Somebody whom only the provider knows, who becomes a user of acme at the first login. */
const NEWCOMER: Person = { email: 'newcomer@acme.example', password: DEMO_PASSWORD, groups: ['analyst'] };

/** The names by which a browser of this machine may call the API host. */
const baseUrlsOf = (tenant: DemoTenant, apiPort: number): string[] =>
  ['127.0.0.1', 'localhost', `${tenant}-api.localhost`].map((host) => `http://${host}:${apiPort}`);

const clientOf = (tenant: DemoTenant, apiPort: number): RegisteredClient => {
  const baseUrls = baseUrlsOf(tenant, apiPort);
  return {
    clientId: `sluice-${tenant}`,
    clientSecret: CLIENT_SECRET,
    redirectUris: baseUrls.map((url) => `${url}/auth/callback/${tenant}`),
    postLogoutRedirectUris: baseUrls.map((url) => `${url}/auth/login/${tenant}`),
  };
};

/** The demo's people, in groups that are called as their roles, and one client a tenant. */
export async function demoIdentityProvider(ports: { api: number; provider: number }): Promise<IdentityProviderOptions> {
  const accounts = await Promise.all(DEMO_TENANTS.map(readDemoAccounts));
  const people = accounts.flatMap(({ users }) =>
    users.map(({ email, roles }) => ({ email, password: DEMO_PASSWORD, groups: roles })),
  );
  return {
    port: ports.provider,
    people: [...people, NEWCOMER],
    clients: DEMO_TENANTS.map((tenant) => clientOf(tenant, ports.api)),
  };
}
