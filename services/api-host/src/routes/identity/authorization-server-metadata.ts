import { ASSERTION_ALGORITHMS, apiOperations, PERMISSIONS, type ServerMetadata } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';
import { GRANT_TYPES } from './request-token.ts';

/** Methods by which service accounts authenticate. */
const CLIENT_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];

/** GET /.well-known/oauth-authorization-server/auth/{tenant} */
export const authorizationServerMetadata = ({ issuerOf }: Pick<UseCases, 'issuerOf'>): Route =>
  route(apiOperations.authorizationServerMetadata, async ({ tenant, baseUrl }) => {
    const endpoints = `${baseUrl}/auth/${tenant.name}/oauth2`;
    const metadata: ServerMetadata = {
      issuer: issuerOf(tenant),
      authorization_endpoint: `${endpoints}/authorize`,
      token_endpoint: `${endpoints}/token`,
      device_authorization_endpoint: `${endpoints}/device_authorization`,
      revocation_endpoint: `${endpoints}/revoke`,
      introspection_endpoint: `${endpoints}/introspect`,
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      scopes_supported: Object.keys(PERMISSIONS),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: [...GRANT_TYPES],
      token_endpoint_auth_methods_supported: ['none', ...CLIENT_METHODS],
      token_endpoint_auth_signing_alg_values_supported: [...ASSERTION_ALGORITHMS],
      revocation_endpoint_auth_methods_supported: ['none'],
      introspection_endpoint_auth_methods_supported: CLIENT_METHODS,
      introspection_endpoint_auth_signing_alg_values_supported: [...ASSERTION_ALGORITHMS],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ui_locales_supported: ['en', 'de', 'fr', 'es'],
    };
    return json(200, metadata);
  });
