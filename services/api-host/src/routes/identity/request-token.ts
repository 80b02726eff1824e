import { parseScope } from '@sluice/auth';
import { apiOperations, type GrantedTokens, ProblemError, type TokenRequest } from '@sluice/contract';
import { json, type Route, type RouteRequest, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { readClientCredential } from '../../request/client-credential.ts';
import { requireOAuthClient } from '../../request/oauth-client.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';
import { grantedTokens } from '../../use-cases/identity/granted-tokens.ts';

type RequestTokenContext = Pick<
  UseCases,
  'issueClientToken' | 'redeemAuthorizationCode' | 'redeemDeviceCode' | 'refreshTokens'
> &
  Pick<ApiContext, 'events'>;

type Request = RouteRequest<typeof apiOperations.requestToken>;

/** Exchanges what a grant type names for tokens. */
type Grant = (context: RequestTokenContext, request: Request) => Promise<GrantedTokens>;

/** Returns a parameter that the grant type needs. Throws `invalid_request`. */
function required(
  body: TokenRequest,
  name: 'code' | 'redirect_uri' | 'code_verifier' | 'refresh_token' | 'device_code',
) {
  const value = body[name];
  if (value !== undefined && value !== '') return value;
  throw new ProblemError('invalid_request', `${name} is required for this grant_type.`);
}

const clientCredentials: Grant = async ({ issueClientToken, events }, request) => {
  const { tenant, body, headers, signal, requestId } = request;
  const credential = readClientCredential(body, headers.get('authorization'));
  const input = { credential, scope: parseScope(body.scope), signal };
  const { token, clientId } = await issueClientToken(anonymousCallerOf(request), input);
  events.authentication('token_issued', { tenant: tenant.name, user: clientId, requestId });
  return token;
};

const authorizationCode: Grant = async ({ redeemAuthorizationCode, events }, request) => {
  const { tenant, body, headers, requestId } = request;
  const oauthClient = requireOAuthClient(body, headers).id;
  const { tokens, user } = await redeemAuthorizationCode(anonymousCallerOf(request), {
    oauthClient,
    code: required(body, 'code'),
    redirectUri: required(body, 'redirect_uri'),
    codeVerifier: required(body, 'code_verifier'),
  });
  events.authentication('login', { tenant: tenant.name, user, requestId });
  return tokens;
};

const refreshToken: Grant = async ({ refreshTokens, events }, request) => {
  const { tenant, body, headers, requestId } = request;
  const oauthClient = requireOAuthClient(body, headers).id;
  const input = { oauthClient, refreshToken: required(body, 'refresh_token'), scope: parseScope(body.scope) };
  const { tokens, user, permissions } = await refreshTokens(anonymousCallerOf(request), input);
  events.authentication('token_refreshed', { tenant: tenant.name, user, requestId });
  return grantedTokens(tokens, permissions);
};

const deviceCode: Grant = async ({ redeemDeviceCode, events }, request) => {
  const { tenant, body, headers, requestId } = request;
  const oauthClient = requireOAuthClient(body, headers).id;
  const input = { oauthClient, deviceCode: required(body, 'device_code') };
  const { tokens, user } = await redeemDeviceCode(anonymousCallerOf(request), input);
  events.authentication('login', { tenant: tenant.name, user, requestId });
  return tokens;
};

const GRANTS: ReadonlyMap<string, Grant> = new Map([
  ['authorization_code', authorizationCode],
  ['refresh_token', refreshToken],
  ['client_credentials', clientCredentials],
  ['urn:ietf:params:oauth:grant-type:device_code', deviceCode],
]);

/** Values of `grant_type`. */
export const GRANT_TYPES: readonly string[] = [...GRANTS.keys()];

/** POST /auth/{tenant}/oauth2/token */
export const requestToken = (context: RequestTokenContext): Route =>
  route(apiOperations.requestToken, async (request) => {
    const grant = GRANTS.get(request.body.grant_type);
    if (grant === undefined)
      throw new ProblemError('unsupported_grant_type', `grant_type must be one of ${GRANT_TYPES.join(', ')}.`);
    return json(200, await grant(context, request), TOKEN_HEADERS);
  });
