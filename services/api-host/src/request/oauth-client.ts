import { findOAuthClient, type OAuthClient } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import type { Reader } from '@sluice/http';

interface ClientFields {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

const invalidClient = (reason: string): ProblemError => new ProblemError('invalid_client', reason);

/**
 * Reads the program that sends a request, which identifies itself by `client_id` alone (RFC 6749 section 3.2.1). Throws `invalid_client` for
 * an unknown one, and for a secret, which none of them has.
 */
export function requireOAuthClient(body: ClientFields, headers: Reader): OAuthClient {
  const { client_id: id, client_secret: secret } = body;
  const client = findOAuthClient(id);
  if (client === undefined)
    throw invalidClient(id === undefined ? 'client_id is required.' : 'There is no program with this client_id.');
  if (secret !== undefined || headers.get('authorization') !== undefined)
    throw invalidClient(`${client.id} has no secret. Send client_id alone, without client_secret or Authorization.`);
  return client;
}
