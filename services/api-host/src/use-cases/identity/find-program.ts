import {
  type ClientDocuments,
  documentClient,
  findBuiltInClient,
  InvalidClientDocument,
  isDocumentId,
  type OAuthClient,
} from '@sluice/auth';
import { isScopeValue, ProblemError, signInProblem } from '@sluice/contract';
import type { OAuthClientStore, RegisteredClient } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';

/**
 * Returns the program of a client id: a built-in one, one that the tenant registered, or one that a document describes, if the tenant allows
 * it. The document is not read: only the authorization request needs it.
 */
export type FindProgram = (
  caller: Pick<AnonymousCaller, 'tenant'>,
  clientId: string,
) => Promise<OAuthClient | undefined>;

/**
 * Reads the document that describes a program. Throws `invalid_request` for one that is not valid or cannot be read, and
 * `too_many_requests`.
 */
type ReadProgramDocument = (clientId: string) => Promise<OAuthClient>;

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
    if (isDocumentId(clientId)) return tenant.settings.allowsClientDocuments ? documentClient(clientId) : undefined;
    const registered = await oauthClients.find(tenant.id, clientId);
    return registered && programOf(registered);
  };

export const createReadProgramDocument =
  ({ documents }: { readonly documents: Pick<ClientDocuments, 'read'> }): ReadProgramDocument =>
  async (clientId) => {
    try {
      return await documents.read(clientId);
    } catch (thrown) {
      if (thrown instanceof InvalidClientDocument)
        throw signInProblem('invalid_request', 'program_document_invalid', {
          values: { client: clientId, reason: thrown.message },
        });
      if (!(thrown instanceof ProblemError) || thrown.code !== 'service_unavailable') throw thrown;
      // Not an outage of this host, and without the reason: it would describe the network of the host.
      throw signInProblem('invalid_request', 'program_document_unavailable', { values: { client: clientId } });
    }
  };
