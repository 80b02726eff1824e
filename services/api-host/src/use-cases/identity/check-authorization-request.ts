import {
  isCodeChallenge,
  isRegisteredRedirectUri,
  type OAuthClient,
  parseScope,
  parseTargets,
  scopeForClient,
  type TargetAddresses,
  type TokenTargets,
} from '@sluice/auth';
import { type AuthorizationRequest, ProblemError, type Scope, signInProblem } from '@sluice/contract';
import { type LoginDemands, parseLoginDemands } from './login-demands.ts';

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
  readonly targets: TokenTargets;
  readonly nonce: string | undefined;
  readonly demands: LoginDemands;
}

/** Error of the program, which is sent to it (RFC 6749 section 4.1.2.1). */
export interface RejectedAuthorizationRequest extends ResponseRecipient {
  readonly kind: 'rejected';
  readonly error: string;
  readonly description: string;
}

/** Error that has no other use here (OpenID Connect Core section 3.1.2.6). */
class RejectedRequest extends Error {
  readonly error: string;

  constructor(error: string, description: string) {
    super(description);
    this.error = error;
  }
}

function requireSupported({ response_type, request, request_uri }: AuthorizationRequest): void {
  if (response_type === undefined) throw new RejectedRequest('invalid_request', 'response_type is required.');
  if (response_type !== 'code') throw new RejectedRequest('unsupported_response_type', 'response_type must be code.');
  if (request !== undefined) throw new RejectedRequest('request_not_supported', 'Send parameters instead of request.');
  if (request_uri !== undefined)
    throw new RejectedRequest('request_uri_not_supported', 'Send parameters instead of request_uri.');
}

/** RFC 7636 section 4.3: without a method, it would be plain. */
function challengeOf({ code_challenge: challenge, code_challenge_method: method }: AuthorizationRequest): string {
  if (challenge !== undefined && method === 'S256' && isCodeChallenge(challenge)) return challenge;
  throw new RejectedRequest(
    'invalid_request',
    'code_challenge is required, with code_challenge_method S256 (RFC 7636).',
  );
}

const contentOf = (
  request: AuthorizationRequest,
  { client, addresses }: { readonly client: OAuthClient; readonly addresses: TargetAddresses },
) => {
  requireSupported(request);
  return {
    challenge: challengeOf(request),
    scope: scopeForClient(parseScope(request.scope), client.scopes),
    targets: parseTargets(request.resource, addresses),
    nonce: request.nonce,
    demands: parseLoginDemands(request),
  };
};

/** Throws `invalid_request` if the client is unknown: then no response may be sent, and the user reads the error (RFC 6749 section 4.1.2.1). */
export function requireProgram(client: OAuthClient | undefined, clientId: string): OAuthClient {
  if (client !== undefined) return client;
  throw signInProblem('invalid_request', 'program_unknown', { values: { client: JSON.stringify(clientId) } });
}

/** Checks the request of a program for an authorization code. Throws `invalid_request` for an address that is not registered. */
export function checkAuthorizationRequest(
  request: AuthorizationRequest,
  { client, addresses }: { readonly client: OAuthClient; readonly addresses: TargetAddresses },
): ValidAuthorizationRequest | RejectedAuthorizationRequest {
  const { redirect_uri: redirectUri = '', state } = request;
  if (!isRegisteredRedirectUri(redirectUri, client.redirectUris))
    throw signInProblem('invalid_request', 'redirect_uri_unknown', { values: { client: client.name } });
  const recipient = { client, redirectUri, state };
  try {
    return { kind: 'valid', ...recipient, ...contentOf(request, { client, addresses }) };
  } catch (thrown) {
    const isRejection = thrown instanceof RejectedRequest || thrown instanceof ProblemError;
    if (!isRejection) throw thrown;
    const error = thrown instanceof RejectedRequest ? thrown.error : thrown.code;
    return { kind: 'rejected', ...recipient, error, description: thrown.message };
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
