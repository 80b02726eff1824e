import { findBuiltInClient, type OAuthClient } from '@sluice/auth';
import { isScopeValue } from '@sluice/contract';
import type { OAuthClientStore, RegisteredClient } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';

/** Returns the program of a client id: a built-in one, or one that the tenant registered. */
export type FindProgram = (
  caller: Pick<AnonymousCaller, 'tenant'>,
  clientId: string,
) => Promise<OAuthClient | undefined>;

interface FindProgramDependencies {
  readonly oauthClients: Pick<OAuthClientStore, 'find'>;
}

const programOf = (client: RegisteredClient): OAuthClient => ({
  id: client.clientId,
  kind: 'registered',
  name: client.name,
  homePage: client.homePage ?? undefined,
  redirectUris: client.redirectUris,
  scopes: client.scopes?.filter(isScopeValue),
  secretHash: client.secretHash ?? undefined,
});

export const createFindProgram =
  ({ oauthClients }: FindProgramDependencies): FindProgram =>
  async ({ tenant }, clientId) => {
    const builtIn = findBuiltInClient(clientId);
    if (builtIn !== undefined) return builtIn;
    const registered = await oauthClients.find(tenant.id, clientId);
    return registered && programOf(registered);
  };
