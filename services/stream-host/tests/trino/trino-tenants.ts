import { FakeTrino, type FakeTrinoOptions } from '@sluice/engine/testing';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential } from '@sluice/testkit/requests';

/** URL of a tenant's Trino, or the fault of a fake one, with further settings of the tenant. */
export interface TenantTrino {
  readonly url?: string;
  readonly fake?: FakeTrinoOptions;
  readonly more?: Readonly<Record<string, unknown>>;
}

export interface TrinoTenants<Name extends string> extends AsyncDisposable {
  readonly hosts: TestHosts;
  /** Returns the credential of an analyst of the tenant with this name. */
  readonly callers: Readonly<Record<Name, Credential>>;
  readonly fakes: ReadonlyMap<Name, FakeTrino>;
}

/** Starts both hosts with a Trino per tenant, so that each can fail differently. */
export async function startTrinoTenants<Name extends string>(
  tenants: Readonly<Record<Name, TenantTrino>>,
  settings: Readonly<Record<string, string>> = {},
): Promise<TrinoTenants<Name>> {
  const names = Object.keys(tenants) as Name[];
  const fakes = new Map<Name, FakeTrino>();
  const engines: Record<string, object> = {};
  for (const name of names) {
    const { url, fake, more } = tenants[name];
    if (fake !== undefined) fakes.set(name, await FakeTrino.start(fake));
    engines[name] = { url: fakes.get(name)?.url ?? url, catalogs: ['shop'], ...more };
  }
  const hosts = await startHosts(
    { ENGINE_URL: 'http://127.0.0.1:9', ENGINE_TENANTS: JSON.stringify(engines), ...settings },
    { engine: 'duckdb' },
  );
  const callers = new Map<Name, Credential>();
  for (const name of names) {
    const user = await hosts.build.user(await hosts.build.tenant({ name }));
    callers.set(name, { ...basicOf(user), host: `${name}-stream.localhost` });
  }
  return {
    hosts,
    callers: Object.fromEntries(callers) as Record<Name, Credential>,
    fakes,
    async [Symbol.asyncDispose]() {
      await hosts[Symbol.asyncDispose]();
      for (const fake of fakes.values()) await fake[Symbol.asyncDispose]();
    },
  };
}
