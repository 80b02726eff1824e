import { DEMO_PASSWORD } from '../accounts.ts';
import { DEMO_TENANTS, type DemoTenant, readDemoAccounts } from '../demo/demo-files.ts';
import type { IdentityProviderOptions, Person, RegisteredClient } from './identity-provider-options.ts';

/** Equal to the secret in the demo's files. */
const CLIENT_SECRET = 'sluice-demo-secret';

const clientIdOf = (tenant: DemoTenant): string => `sluice-${tenant}`;

/** A person whom only the provider knows. They become a user of acme at the first login. */
const NEWCOMER: Person = {
  email: 'newcomer@acme.example',
  password: DEMO_PASSWORD,
  groups: ['analyst'],
  about: 'newcomer',
  clientId: clientIdOf('acme'),
};

/** Roles that describe a user on the login page, the one that says most first. */
const DESCRIBING_ROLES = ['admin', 'steward', 'auditor', 'analyst'];

const describingRole = (roles: readonly string[]): string =>
  DESCRIBING_ROLES.find((role) => roles.includes(role)) ?? roles.join(', ');

/** URLs of the API host for a browser on this machine. */
const baseUrlsOf = (tenant: DemoTenant, apiPort: number): string[] =>
  ['127.0.0.1', 'localhost', `${tenant}-api.localhost`].map((host) => `http://${host}:${apiPort}`);

const clientOf = (tenant: DemoTenant, apiPort: number): RegisteredClient => {
  const baseUrls = baseUrlsOf(tenant, apiPort);
  return {
    clientId: clientIdOf(tenant),
    clientSecret: CLIENT_SECRET,
    redirectUris: baseUrls.map((url) => `${url}/auth/callback/${tenant}`),
    postLogoutRedirectUris: baseUrls.map((url) => `${url}/auth/login/${tenant}`),
  };
};

/** Returns the demo's users, with groups named like their roles, and one client per tenant. */
export async function demoIdentityProvider(ports: { api: number; provider: number }): Promise<IdentityProviderOptions> {
  const accounts = await Promise.all(DEMO_TENANTS.map(readDemoAccounts));
  const people = accounts.flatMap(({ users }, index) =>
    users.map(({ email, roles }) => ({
      email,
      password: DEMO_PASSWORD,
      groups: roles,
      about: describingRole(roles),
      clientId: clientIdOf(DEMO_TENANTS[index] as DemoTenant),
    })),
  );
  return {
    port: ports.provider,
    people: [...people, NEWCOMER],
    clients: DEMO_TENANTS.map((tenant) => clientOf(tenant, ports.api)),
  };
}
