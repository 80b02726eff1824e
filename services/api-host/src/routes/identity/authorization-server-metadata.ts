import { TOKEN_ALGORITHM } from '@sluice/auth';
import { ASSERTION_ALGORITHMS, apiOperations, SCOPE_VALUES, type ServerMetadata, type Tenant } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';
import { GRANT_TYPES } from './request-token.ts';

/** Methods by which programs of users authenticate. */
const PROGRAM_METHODS = ['none', 'client_secret_basic', 'client_secret_post'];
/** Methods by which service accounts authenticate. */
const CLIENT_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];

interface MetadataRequest {
  readonly tenant: Tenant;
  readonly baseUrl: string;
}

/** GET /.well-known/oauth-authorization-server/auth/{tenant} (RFC 8414), and the same by OpenID Connect Discovery. */
export function authorizationServerMetadata({ issuerOf }: Pick<UseCases, 'issuerOf'>): Route[] {
  const describe = async ({ tenant, baseUrl }: MetadataRequest) => {
    const endpoints = `${baseUrl}/auth/${tenant.name}/oauth2`;
    const metadata: ServerMetadata = {
      issuer: issuerOf(tenant),
      authorization_endpoint: `${endpoints}/authorize`,
      token_endpoint: `${endpoints}/token`,
      device_authorization_endpoint: `${endpoints}/device_authorization`,
      revocation_endpoint: `${endpoints}/revoke`,
      introspection_endpoint: `${endpoints}/introspect`,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      scopes_supported: SCOPE_VALUES,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: [...GRANT_TYPES],
      token_endpoint_auth_methods_supported: ['none', ...CLIENT_METHODS],
      token_endpoint_auth_signing_alg_values_supported: [...ASSERTION_ALGORITHMS],
      revocation_endpoint_auth_methods_supported: PROGRAM_METHODS,
      introspection_endpoint_auth_methods_supported: CLIENT_METHODS,
      introspection_endpoint_auth_signing_alg_values_supported: [...ASSERTION_ALGORITHMS],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ui_locales_supported: ['en', 'de', 'fr', 'es'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [TOKEN_ALGORITHM],
      claims_supported: ['iss', 'sub', 'aud', 'azp', 'exp', 'iat', 'auth_time', 'nonce', 'email', 'sid'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      client_id_metadata_document_supported: tenant.settings.allowsClientDocuments === true,
    };
    return json(200, metadata);
  };
  return [
    route(apiOperations.authorizationServerMetadata, describe),
    route(apiOperations.openidConfiguration, describe),
  ];
}
