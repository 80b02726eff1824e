import { findOAuthClient, isCodeChallenge, isRegisteredRedirectUri, type OAuthClient, parseScope } from '@sluice/auth';
import { type AuthorizationRequest, asProblem, type Scope, signInProblem } from '@sluice/contract';

/** Program that asks, and the registered address to which its response goes. */
interface ResponseRecipient {
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly state: string | undefined;
}

export interface ValidAuthorizationRequest extends ResponseRecipient {
  readonly kind: 'valid';
  readonly challenge: string;
  readonly scope: Scope;
}

/** Error of the program, which is sent to it (RFC 6749 section 4.1.2.1). */
export interface RejectedAuthorizationRequest extends ResponseRecipient {
  readonly kind: 'rejected';
  readonly error: string;
  readonly description: string;
}

/**
 * Checks the request of a program for an authorization code. Throws `invalid_request` if the program or its address is not known: then no
 * response may be sent, and the user reads the error (RFC 6749 section 4.1.2.1).
 */
export function checkAuthorizationRequest(
  request: AuthorizationRequest,
): ValidAuthorizationRequest | RejectedAuthorizationRequest {
  const { client_id: clientId = '', redirect_uri: redirectUri = '', state } = request;
  const client = findOAuthClient(clientId);
  if (client === undefined)
    throw signInProblem('invalid_request', 'program_unknown', { values: { client: JSON.stringify(clientId) } });
  if (!isRegisteredRedirectUri(redirectUri, client.redirectUris))
    throw signInProblem('invalid_request', 'redirect_uri_unknown', { values: { client: client.name } });
  const recipient = { client, redirectUri, state };
  const reject = (error: string, description: string): RejectedAuthorizationRequest => ({
    kind: 'rejected',
    ...recipient,
    error,
    description,
  });
  if (request.response_type === undefined) return reject('invalid_request', 'response_type is required.');
  if (request.response_type !== 'code') return reject('unsupported_response_type', 'response_type must be code.');
  const { code_challenge: challenge, code_challenge_method: method } = request;
  // RFC 7636 section 4.3: without a method, it would be plain.
  if (challenge === undefined || method !== 'S256' || !isCodeChallenge(challenge))
    return reject('invalid_request', 'code_challenge is required, with code_challenge_method S256 (RFC 7636).');
  try {
    return { kind: 'valid', ...recipient, challenge, scope: parseScope(request.scope) };
  } catch (thrown) {
    const { code, message } = asProblem(thrown);
    return reject(code, message);
  }
}

/** Returns the address with a response, which names the issuer (RFC 9207) and the state. */
export function authorizationResponse(
  { redirectUri, state }: Pick<ResponseRecipient, 'redirectUri' | 'state'>,
  issuer: string,
  response: { readonly code: string } | { readonly error: string; readonly error_description: string },
): string {
  const parameters = new URLSearchParams({ ...response, ...(state === undefined ? {} : { state }), iss: issuer });
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`;
}
