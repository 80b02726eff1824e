import { type OAuthClient, parseScope, parseTargets, type TokenTargets } from '@sluice/auth';
import { apiOperations, type GrantedTokens, ProblemError, type TokenRequest } from '@sluice/contract';
import { json, type Route, type RouteRequest, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import { readClientCredential } from '../../request/client-credential.ts';
import { programIdOf, readProgramCredential } from '../../request/oauth-client.ts';
import { recordingInvalidInput, recordingRefusal } from '../../request/record-refusals.ts';
import { TOKEN_HEADERS } from '../../request/token-headers.ts';
import { grantedScope, grantedTokens } from '../../use-cases/identity/granted-tokens.ts';
import { RECORDED_ALREADY } from '../../use-cases/identity/record-refusal.ts';

type RequestTokenContext = Pick<
  UseCases,
  | 'issueClientToken'
  | 'authenticateProgram'
  | 'targetAddresses'
  | 'redeemAuthorizationCode'
  | 'redeemDeviceCode'
  | 'refreshTokens'
  | 'recordRefusal'
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

/** Throws an error of `issueClientToken`: the credential of a service account is recorded where it is checked. */
function asRecorded(thrown: unknown): never {
  if (!(thrown instanceof ProblemError) || thrown.code !== 'invalid_client') throw thrown;
  throw new ProblemError(thrown.code, thrown.message, { cause: RECORDED_ALREADY });
}

const clientCredentials: Grant = async ({ issueClientToken, events }, request) => {
  const { tenant, body, headers, signal, requestId } = request;
  const credential = readClientCredential(body, headers.get('authorization'));
  const input = { credential, scope: parseScope(body.scope), signal };
  const { token, clientId } = await issueClientToken(anonymousCallerOf(request), input).catch(asRecorded);
  events.authentication('token_issued', { tenant: tenant.name, user: clientId, requestId });
  return token;
};

/** Returns the program that sends a request, and the hosts that it asks for. Throws `invalid_client` and `invalid_target`. */
async function programOf(
  { authenticateProgram, targetAddresses }: RequestTokenContext,
  request: Request,
): Promise<{ readonly client: OAuthClient; readonly targets: TokenTargets }> {
  const { body, headers } = request;
  const client = await authenticateProgram(anonymousCallerOf(request), readProgramCredential(body, headers));
  return { client, targets: parseTargets(body.resource, targetAddresses(request)) };
}

const authorizationCode: Grant = async (context, request) => {
  const { tenant, body, requestId } = request;
  const { tokens, user } = await context.redeemAuthorizationCode(anonymousCallerOf(request), {
    ...(await programOf(context, request)),
    code: required(body, 'code'),
    redirectUri: required(body, 'redirect_uri'),
    codeVerifier: required(body, 'code_verifier'),
  });
  context.events.authentication('login', { tenant: tenant.name, user, requestId });
  return tokens;
};

const refreshToken: Grant = async (context, request) => {
  const { tenant, body, requestId } = request;
  const { client, targets } = await programOf(context, request);
  const { tokens, user, permissions, scope } = await context.refreshTokens(anonymousCallerOf(request), {
    oauthClient: client.id,
    refreshToken: required(body, 'refresh_token'),
    scope: parseScope(body.scope),
    targets,
  });
  context.events.authentication('token_refreshed', { tenant: tenant.name, user, requestId });
  return grantedTokens(tokens, { scope: grantedScope(permissions, scope) });
};

const deviceCode: Grant = async (context, request) => {
  const { tenant, body, requestId } = request;
  const input = { ...(await programOf(context, request)), deviceCode: required(body, 'device_code') };
  const { tokens, user } = await context.redeemDeviceCode(anonymousCallerOf(request), input);
  context.events.authentication('login', { tenant: tenant.name, user, requestId });
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

const unsupported: Grant = async () => {
  throw new ProblemError('unsupported_grant_type', `grant_type must be one of ${GRANT_TYPES.join(', ')}.`);
};

/** `method` of the record of a request without a known grant type. */
const ENDPOINT = 'token';

/** POST /auth/{tenant}/oauth2/token */
export const requestToken = (context: RequestTokenContext): Route =>
  recordingInvalidInput(
    context.recordRefusal,
    ENDPOINT,
    route(apiOperations.requestToken, async (request) => {
      const { body, headers } = request;
      const grant = GRANTS.get(body.grant_type);
      const method = grant === undefined ? ENDPOINT : body.grant_type;
      const refusal = { request, method, clientId: programIdOf(body, headers) };
      const tokens = await recordingRefusal(context.recordRefusal, refusal, () =>
        (grant ?? unsupported)(context, request),
      );
      return json(200, tokens, TOKEN_HEADERS);
    }),
  );
