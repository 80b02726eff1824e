import { createHash, randomBytes } from 'node:crypto';
import type { BuiltUser } from '@sluice/testkit';
import { postForm } from './api-requests.ts';

const CLIENT = 'sluice-cli';
/** Nothing listens there: the address of the redirect has the code. */
const REDIRECT_URI = 'http://127.0.0.1:47115/callback';

/**
 * Signs a user in, lets them consent to the login of a program, and returns the form with which the program redeems its code.
 * @param scope - permissions, separated by spaces
 * @param further - more parameters of the request, and the name of the tenant
 */
export async function authorizeProgram(
  apiUrl: string,
  { id, email, password }: BuiltUser,
  scope: string,
  { tenantName = 'acme', ...further }: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, string>>> {
  const signedIn = await postForm(`${apiUrl}/auth/sign-in/${tenantName}`, { email, password }, { origin: apiUrl });
  const cookie = (signedIn.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ');
  const verifier = randomBytes(32).toString('base64url');
  const consent = {
    response_type: 'code',
    client_id: CLIENT,
    redirect_uri: REDIRECT_URI,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    scope,
    ...further,
    account: id,
    decision: 'approve',
  };
  const decided = await postForm(`${apiUrl}/auth/${tenantName}/oauth2/consent`, consent, { origin: apiUrl, cookie });
  const { location } = decided.headers;
  if (location === undefined) throw new Error(`the consent returned ${decided.status}: ${decided.text}`);
  return {
    grant_type: 'authorization_code',
    client_id: CLIENT,
    redirect_uri: REDIRECT_URI,
    code: new URL(location).searchParams.get('code') ?? '',
    code_verifier: verifier,
  };
}
