import { isClientSecret, type OAuthClient } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { FindProgram } from './find-program.ts';

/** Proof that a program sends with a request. A program without a secret sends its id alone (RFC 6749 section 3.2.1). */
export interface ProgramCredential {
  readonly clientId: string;
  readonly secret?: string;
}

/**
 * Returns the program that sends a request (RFC 6749 section 3.2.1). Throws `invalid_client` for an unknown program, for a missing or wrong
 * secret of a confidential one, and for a secret of a public one, which has none.
 *
 * Wrong secrets are not counted: a secret has 256 random bits, and a flood of guesses costs one hash each.
 */
export type AuthenticateProgram = (
  caller: Pick<AnonymousCaller, 'tenant'>,
  credential: ProgramCredential,
) => Promise<OAuthClient>;

const invalidClient = (reason: string): ProblemError => new ProblemError('invalid_client', reason);

/** Further methods of a confidential program, such as a signed assertion (RFC 7523), are checked here. */
function checkCredential({ id, secretHash }: OAuthClient, { secret }: ProgramCredential): void {
  if (secretHash === undefined) {
    if (secret === undefined) return;
    throw invalidClient(`${id} has no secret. Send client_id alone, without client_secret or Authorization.`);
  }
  if (secret === undefined) throw invalidClient(`${id} has a secret. Send it by HTTP Basic or as client_secret.`);
  if (!isClientSecret(secret, secretHash)) throw invalidClient('The secret of the program is wrong.');
}

export const createAuthenticateProgram =
  ({ findProgram }: { readonly findProgram: FindProgram }): AuthenticateProgram =>
  async (caller, credential) => {
    const client = await findProgram(caller, credential.clientId);
    if (client === undefined) throw invalidClient('There is no program with this client_id.');
    checkCredential(client, credential);
    return client;
  };
