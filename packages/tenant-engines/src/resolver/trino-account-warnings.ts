import type { Tenant } from '@sluice/contract';
import type { TrinoProfile } from '@sluice/engine';
import type { EngineResolver } from './engine-resolver.ts';

const NAMED_MAX = 10;

/**
 * Returns warnings for the operator about tenants that Trino cannot separate by itself: tenants that share an account of this
 * service, which may impersonate the users of all of them, and tenants whose users may have the same names.
 */
export function trinoAccountWarnings(resolveEngine: EngineResolver, tenants: readonly Tenant[]): readonly string[] {
  const byAccount = new Map<string, string[]>();
  const byUsers = new Map<string, string[]>();
  for (const tenant of tenants) {
    const { kind, profile } = resolveEngine(tenant);
    if (kind !== 'trino') continue;
    add(byAccount, accountOf(profile), tenant.name);
    add(byUsers, JSON.stringify([profile.baseUrl, profile.userTemplate]), tenant.name);
  }
  return [
    ...shared(byAccount).map(
      (names) =>
        `The tenants ${listed(names)} share one account at one Trino, which can run statements as any user of all of them. Give each tenant its own account with its own impersonation rule (ENGINE_TENANTS: url, and user and password, token or certificate).`,
    ),
    ...shared(byUsers).map(
      (names) =>
        `The tenants ${listed(names)} have the same template for Trino users, without {tenant} (ENGINE_USER_TEMPLATE, user_template): accounts of different tenants may be the same Trino user.`,
    ),
  ];
}

function add(groups: Map<string, string[]>, key: string, name: string): void {
  const names = groups.get(key);
  if (names === undefined) groups.set(key, [name]);
  else names.push(name);
}

const shared = (groups: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] =>
  [...groups.values()].filter((names) => names.length > 1);

/** Returns a key of the Trino and the account that this service uses. It may contain a secret and must not be shown. */
function accountOf({ baseUrl, credentials }: TrinoProfile): string {
  switch (credentials.kind) {
    case 'none':
      return JSON.stringify([baseUrl, 'none']);
    case 'password':
      return JSON.stringify([baseUrl, 'password', credentials.user]);
    case 'jwt':
      return JSON.stringify([baseUrl, 'jwt', credentials.token]);
    case 'certificate':
      return JSON.stringify([baseUrl, 'certificate', credentials.certificate]);
  }
}

const listed = (names: readonly string[]): string =>
  names.length <= NAMED_MAX
    ? names.join(', ')
    : `${names.slice(0, NAMED_MAX).join(', ')} and ${names.length - NAMED_MAX} more`;
