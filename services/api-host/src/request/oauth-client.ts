import { ProblemError } from '@sluice/contract';
import type { Reader } from '@sluice/http';
import type { ProgramCredential } from '../use-cases/identity/authenticate-program.ts';
import { readClientSecret } from './client-secret.ts';

interface ClientFields {
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
}

/**
 * Reads how the program that sends a request identifies itself: in the form, or by HTTP Basic. Throws `invalid_client` for a missing or
 * malformed credential, and `invalid_request` for two of them.
 */
export function readProgramCredential(body: ClientFields, headers: Reader): ProgramCredential {
  const authorization = headers.get('authorization');
  const { client_id: clientId, client_secret: secret } = body;
  if (authorization !== undefined || secret !== undefined) {
    const read = readClientSecret(body, authorization);
    return { clientId: read.clientId, secret: read.clientSecret };
  }
  if (clientId === undefined || clientId === '') throw new ProblemError('invalid_client', 'client_id is required.');
  return { clientId };
}

/** Returns the client id that a request names, for its record. Undefined for none, or for a malformed credential. */
export function programIdOf(body: ClientFields, headers: Reader): string | undefined {
  if (body.client_id !== undefined) return body.client_id;
  try {
    return readClientSecret(body, headers.get('authorization')).clientId;
  } catch {
    return undefined;
  }
}
