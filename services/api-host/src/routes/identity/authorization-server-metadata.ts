import { apiOperations, PERMISSIONS, type ServerMetadata } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';
import { GRANT_TYPES } from './request-token.ts';

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
      jwks_uri: `${baseUrl}/.well-known/jwks.json`,
      scopes_supported: Object.keys(PERMISSIONS),
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: [...GRANT_TYPES],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      revocation_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      ui_locales_supported: ['en', 'de', 'fr', 'es'],
    };
    return json(200, metadata);
  });
