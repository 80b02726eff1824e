import { z } from 'zod';
import { boundedText } from '../fields/text-field.ts';
import { tokenClientFields } from './auth.ts';
import { externalLoginForm } from './external-login.ts';
import { REDIRECT_URI_CHARACTERS_MAX } from './redirect-uri.ts';

// RFC 6749 sections 3.1 and 3.2: unrecognised parameters are ignored, and a repeated one is rejected. All parameters together fit into the
// `return_to` of a login.
const STATE_CHARACTERS_MAX = 512;
const SCOPE_CHARACTERS_MAX = 512;
const CLIENT_ID_CHARACTERS_MAX = 320;
/** A code challenge or verifier has 43 to 128 characters (RFC 7636 sections 4.1 and 4.2). */
const NONCE_CHARACTERS_MAX = 256;
const PKCE_CHARACTERS_MAX = 128;
const CODE_CHARACTERS_MAX = 512;
const ADDRESS_CHARACTERS_MAX = 512;
const TOKEN_CHARACTERS_MAX = 8192;
/** Eight characters of a user code, with hyphens and spaces between them. */
const USER_CODE_CHARACTERS_MAX = 32;

const text = (name: string, charactersMax: number) => boundedText(name, charactersMax).optional();

const scope = text('scope', SCOPE_CHARACTERS_MAX).describe(
  'Permissions that the program gets, separated by spaces, and `openid` for an ID token. Default: all permissions that the user and the program may have',
);

/** Name of the parameter that may be repeated (RFC 8707 section 2). */
export const RESOURCE_PARAMETER = 'resource';
const RESOURCES_MAX = 8;
const oneResource = boundedText('resource', ADDRESS_CHARACTERS_MAX);
const resource = z
  .union([
    oneResource,
    z.array(oneResource).max(RESOURCES_MAX, `resource must be given at most ${RESOURCES_MAX} times`),
  ])
  .optional()
  .describe('Address of the API host or the stream host, for which the tokens are (RFC 8707). Default: both');

/** Authorization request (RFC 6749 section 4.1.1, RFC 7636). The handler checks the values, because errors have different recipients. */
const authorizationRequest = {
  response_type: text('response_type', 64).describe('`code`'),
  client_id: text('client_id', CLIENT_ID_CHARACTERS_MAX),
  redirect_uri: text('redirect_uri', REDIRECT_URI_CHARACTERS_MAX),
  scope,
  state: text('state', STATE_CHARACTERS_MAX),
  code_challenge: text('code_challenge', PKCE_CHARACTERS_MAX),
  code_challenge_method: text('code_challenge_method', 16).describe('`S256`'),
  resource,
  nonce: text('nonce', NONCE_CHARACTERS_MAX).describe('Repeated in the ID token (OpenID Connect Core section 3.1.2.1)'),
  prompt: text('prompt', 64).describe('`none`, or a list of `login`, `consent` and `select_account`'),
  max_age: text('max_age', 10).describe('Seconds since the last login, after which the user has to log in again'),
  request: text('request', TOKEN_CHARACTERS_MAX).describe('Not supported: `request_not_supported`'),
  request_uri: text('request_uri', ADDRESS_CHARACTERS_MAX).describe('Not supported: `request_uri_not_supported`'),
  login_after: text('login_after', 16).describe(
    'Set by this host when it leads the user to another login: epoch milliseconds, at most ten minutes ago',
  ),
};

export const authorizeQuery = z.object(authorizationRequest);

const decision = z.enum(['approve', 'deny'], { error: 'decision must be approve or deny' });

/** Form of the consent page: the request, and what the user decided. */
export const consentForm = z.object({
  ...authorizationRequest,
  account: boundedText('account', 64).describe('Id of the user to whom the page was shown'),
  decision,
});

export type AuthorizationRequest = z.infer<typeof authorizeQuery>;

/** Credential of a client with keys (RFC 7523 section 2.2). */
const clientAssertionFields = {
  client_assertion_type: text('client_assertion_type', 128).describe(
    '`urn:ietf:params:oauth:client-assertion-type:jwt-bearer`, with `client_assertion`',
  ),
  client_assertion: text('client_assertion', TOKEN_CHARACTERS_MAX).describe(
    'JWT that a service account has signed, instead of a secret',
  ),
};

export const requestTokenForm = z
  .object({
    grant_type: z
      .string({ error: 'grant_type is required' })
      .min(1, 'grant_type must not be empty')
      // The handler checks the value, because another one has its own error code (RFC 6749 section 5.2).
      .meta({
        enum: [
          'authorization_code',
          'refresh_token',
          'client_credentials',
          'urn:ietf:params:oauth:grant-type:device_code',
        ],
      }),
    ...tokenClientFields,
    ...clientAssertionFields,
    code: text('code', CODE_CHARACTERS_MAX),
    redirect_uri: text('redirect_uri', REDIRECT_URI_CHARACTERS_MAX),
    code_verifier: text('code_verifier', PKCE_CHARACTERS_MAX),
    refresh_token: text('refresh_token', TOKEN_CHARACTERS_MAX),
    device_code: text('device_code', CODE_CHARACTERS_MAX),
    scope,
    resource,
  })
  .meta({ id: 'TokenRequest' });

export type TokenRequest = z.infer<typeof requestTokenForm>;

export const grantedTokensBody = z
  .object({
    access_token: z.string(),
    token_type: z.literal('Bearer'),
    expires_in: z.int().describe('Seconds'),
    refresh_token: z.string().optional().describe('For programs of users'),
    id_token: z
      .string()
      .optional()
      .describe('For a login with the scope `openid`. Its audience is the program, so no host accepts it'),
    scope: z
      .string()
      .optional()
      .describe('Permissions of the tokens, separated by spaces. For programs of users, and where the request had one'),
  })
  .meta({ id: 'GrantedTokens' });

export type GrantedTokens = z.infer<typeof grantedTokensBody>;

export const revokeForm = z
  .object({
    token: boundedText('token', TOKEN_CHARACTERS_MAX),
    token_type_hint: text('token_type_hint', 64).describe(
      '`access_token` or `refresh_token`; either way both are tried',
    ),
    ...tokenClientFields,
  })
  .meta({ id: 'RevocationRequest' });

/** The client ignores it (RFC 7009 section 2.2). */
export const revokedBody = z.object({}).meta({ id: 'RevokedToken' });

export const introspectForm = z
  .object({
    token: boundedText('token', TOKEN_CHARACTERS_MAX),
    token_type_hint: text('token_type_hint', 64).describe(
      '`access_token` or `refresh_token`; either way both are tried',
    ),
    ...tokenClientFields,
    ...clientAssertionFields,
  })
  .meta({ id: 'IntrospectionRequest' });

/** State of a token. Without `active`, nothing else is present (RFC 7662 section 2.2). */
export const introspectionBody = z
  .object({
    active: z.boolean(),
    token_use: z
      .enum(['access', 'refresh'])
      .optional()
      .describe('A refresh token must not be accepted by a resource server'),
    token_type: z.literal('Bearer').optional(),
    scope: z.string().optional().describe('Permissions that the token gives now, separated by spaces'),
    client_id: z.string().optional().describe('Service account, or program of the user'),
    username: z.string().optional().describe('E-mail address of a user, client id of a service account'),
    sub: z.string().optional(),
    iss: z.string().optional(),
    aud: z.union([z.string(), z.array(z.string())]).optional(),
    iat: z.int().optional(),
    exp: z.int().optional(),
    jti: z.string().optional(),
  })
  .meta({ id: 'Introspection' });
export type Introspection = z.infer<typeof introspectionBody>;

export const serverMetadataBody = z
  .object({
    issuer: z.string().describe('`iss` of tokens and of authorization responses'),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    device_authorization_endpoint: z.string(),
    revocation_endpoint: z.string(),
    introspection_endpoint: z.string(),
    jwks_uri: z.string(),
    scopes_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    response_modes_supported: z.array(z.string()),
    grant_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    token_endpoint_auth_signing_alg_values_supported: z.array(z.string()),
    revocation_endpoint_auth_methods_supported: z.array(z.string()),
    introspection_endpoint_auth_methods_supported: z.array(z.string()),
    introspection_endpoint_auth_signing_alg_values_supported: z.array(z.string()),
    code_challenge_methods_supported: z.array(z.string()),
    authorization_response_iss_parameter_supported: z.boolean(),
    ui_locales_supported: z.array(z.string()),
    subject_types_supported: z.array(z.string()),
    id_token_signing_alg_values_supported: z.array(z.string()),
    claims_supported: z.array(z.string()),
    prompt_values_supported: z.array(z.string()),
    request_parameter_supported: z.boolean(),
    request_uri_parameter_supported: z.boolean(),
    client_id_metadata_document_supported: z
      .boolean()
      .describe('Whether the tenant lets users admit programs that no admin registered'),
  })
  .meta({ id: 'AuthorizationServerMetadata' });
export type ServerMetadata = z.infer<typeof serverMetadataBody>;

export const deviceAuthorizationForm = z
  .object({ ...tokenClientFields, scope, resource })
  .meta({ id: 'DeviceAuthorizationRequest' });

export const deviceAuthorizationBody = z
  .object({
    device_code: z.string(),
    user_code: z.string().describe('Eight letters with a hyphen, which the user types'),
    verification_uri: z.string(),
    verification_uri_complete: z.string(),
    expires_in: z.int().describe('Seconds'),
    interval: z.int().describe('Seconds between two requests for the tokens'),
  })
  .meta({ id: 'DeviceAuthorization' });
export type DeviceAuthorizationResponse = z.infer<typeof deviceAuthorizationBody>;

const userCode = text('user_code', USER_CODE_CHARACTERS_MAX);
export const devicePageQuery = z.object({ user_code: userCode });
/** Form of the device page. Without a decision, it shows the program that waits. */
export const deviceForm = z.object({
  user_code: boundedText('user_code', USER_CODE_CHARACTERS_MAX),
  account: text('account', 64).describe('Id of the user to whom the page was shown'),
  decision: decision.optional(),
});

/**
 * Names of all parameters of OAuth requests. A record of a rejected request may name these: any other name is what a client sent, which may
 * be a secret in the wrong place.
 */
export const OAUTH_PARAMETERS: ReadonlySet<string> = new Set(
  [
    consentForm,
    requestTokenForm,
    revokeForm,
    introspectForm,
    deviceAuthorizationForm,
    deviceForm,
    externalLoginForm,
  ].flatMap(({ shape }) => Object.keys(shape)),
);
