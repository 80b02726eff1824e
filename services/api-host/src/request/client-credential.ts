import { CLIENT_ASSERTION_TYPE } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import type { ClientCredential } from '../use-cases/identity/authenticate-client.ts';
import { readClientSecret } from './client-secret.ts';

interface CredentialFields {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly client_assertion?: string | undefined;
  readonly client_assertion_type?: string | undefined;
}

/**
 * Reads how a client authenticates: by a secret in the form or by HTTP Basic, or by an assertion (RFC 7523 section 2.2). Throws
 * `invalid_request` for two methods at once (RFC 6749 section 2.3), and `invalid_client` for a missing or malformed credential.
 */
export function readClientCredential(body: CredentialFields, authorization: string | undefined): ClientCredential {
  const { client_id: clientId, client_assertion: assertion, client_assertion_type: type } = body;
  if (assertion === undefined && type === undefined)
    return { method: 'client_secret', ...readClientSecret(body, authorization) };
  if (body.client_secret !== undefined || authorization !== undefined)
    throw new ProblemError('invalid_request', 'Send a client secret or a client_assertion, not both.');
  if (type !== CLIENT_ASSERTION_TYPE)
    throw new ProblemError('invalid_client', `client_assertion_type must be ${CLIENT_ASSERTION_TYPE}.`);
  if (!assertion) throw new ProblemError('invalid_client', 'Send client_assertion with client_assertion_type.');
  return { method: 'private_key_jwt', assertion, clientId };
}
