import { ANONYMOUS, defineOperations, jsonResponse } from '../operations/define-operations.ts';
import { LOGIN_BODY_LIMITS } from '../operations/operation.ts';
import { tenantParams } from './auth.ts';
import {
  authorizeQuery,
  consentForm,
  deviceAuthorizationBody,
  deviceAuthorizationForm,
  deviceForm,
  devicePageQuery,
  grantedTokensBody,
  introspectForm,
  introspectionBody,
  RESOURCE_PARAMETER,
  requestTokenForm,
  revokedBody,
  revokeForm,
  serverMetadataBody,
} from './oauth.ts';

const FORM = { mediaTypes: ['application/x-www-form-urlencoded'], ...LOGIN_BODY_LIMITS } as const;

/** OAuth 2.0 for the programs of users. */
export const oauthOperations = defineOperations('identity', ANONYMOUS, {
  authorizationServerMetadata: {
    endpoint: 'GET /.well-known/oauth-authorization-server/auth/{tenant}',
    summary: 'Describe the authorization server of a tenant (RFC 8414)',
    params: tenantParams,
    responses: { 200: jsonResponse('Metadata', serverMetadataBody) },
  },
  openidConfiguration: {
    endpoint: 'GET /auth/{tenant}/.well-known/openid-configuration',
    summary: 'Describe the OpenID provider of a tenant, with the same content (OpenID Connect Discovery)',
    params: tenantParams,
    responses: { 200: jsonResponse('Metadata', serverMetadataBody) },
  },
  authorize: {
    endpoint: 'GET /auth/{tenant}/oauth2/authorize',
    summary: 'Ask the user whether a program may act for them (RFC 6749 section 4.1, with PKCE)',
    params: tenantParams,
    query: authorizeQuery,
    repeatable: RESOURCE_PARAMETER,
    responses: {
      200: { description: 'Page that asks for consent', mediaType: 'text/html' },
      302: {
        description:
          'Redirect to the login, or to `redirect_uri` with an error, or with a code if the user has consented before',
      },
    },
    pages: 'any',
    problems: ['access_denied'],
  },
  decideConsent: {
    endpoint: 'POST /auth/{tenant}/oauth2/consent',
    summary: 'Submit the consent page; checks Origin',
    params: tenantParams,
    body: { schema: consentForm, ...FORM, repeatable: RESOURCE_PARAMETER },
    responses: {
      200: { description: 'The page again, because another user has signed in', mediaType: 'text/html' },
      303: { description: 'Redirect to `redirect_uri` with a code or an error, or to the login' },
    },
    pages: 'any',
    problems: ['access_denied'],
  },
  loginFinished: {
    endpoint: 'GET /auth/{tenant}/oauth2/finished',
    summary: 'Show that a program of this computer has logged in, and that the window can be closed',
    params: tenantParams,
    responses: { 200: { description: 'The page', mediaType: 'text/html' } },
    pages: 'any',
  },
  requestToken: {
    endpoint: 'POST /auth/{tenant}/oauth2/token',
    summary:
      'Get tokens for a code, a refresh token, a device code, or the secret or assertion of a service account (RFC 6749, RFC 8628, RFC 7523)',
    params: tenantParams,
    oauthErrors: true,
    body: { schema: requestTokenForm, ...FORM, repeatable: RESOURCE_PARAMETER },
    responses: { 200: jsonResponse('Tokens', grantedTokensBody) },
    problems: [
      'invalid_client',
      'invalid_grant',
      'invalid_scope',
      'invalid_target',
      'unsupported_grant_type',
      'authorization_pending',
      'slow_down',
      'expired_token',
      'grant_denied',
      'too_many_requests',
    ],
  },
  revokeToken: {
    endpoint: 'POST /auth/{tenant}/oauth2/revoke',
    summary: 'End the session of a token of a program (RFC 7009)',
    params: tenantParams,
    oauthErrors: true,
    body: { schema: revokeForm, ...FORM },
    responses: { 200: jsonResponse('The token is not valid, or no longer', revokedBody) },
    problems: ['invalid_client', 'invalid_grant', 'too_many_requests'],
  },
  introspectToken: {
    endpoint: 'POST /auth/{tenant}/oauth2/introspect',
    summary: 'Describe a token to a service account that may introspect tokens (RFC 7662)',
    params: tenantParams,
    oauthErrors: true,
    body: { schema: introspectForm, ...FORM },
    responses: { 200: jsonResponse('The token', introspectionBody) },
    problems: ['invalid_client', 'access_denied', 'too_many_requests'],
  },
  authorizeDevice: {
    endpoint: 'POST /auth/{tenant}/oauth2/device_authorization',
    summary: 'Get a code that the user types on another device (RFC 8628)',
    params: tenantParams,
    oauthErrors: true,
    body: { schema: deviceAuthorizationForm, ...FORM, repeatable: RESOURCE_PARAMETER },
    responses: { 200: jsonResponse('Codes', deviceAuthorizationBody) },
    problems: ['invalid_client', 'unauthorized_client', 'invalid_scope', 'invalid_target', 'too_many_requests'],
  },
  devicePage: {
    endpoint: 'GET /auth/device/{tenant}',
    summary: 'Show the form for the code of a device',
    params: tenantParams,
    query: devicePageQuery,
    responses: {
      200: { description: 'The form', mediaType: 'text/html' },
      302: { description: 'Redirect to the login' },
    },
    pages: 'any',
    problems: ['access_denied'],
  },
  decideDevice: {
    endpoint: 'POST /auth/device/{tenant}',
    summary: 'Look up the code of a device, and approve or deny its login; checks Origin',
    params: tenantParams,
    body: { schema: deviceForm, ...FORM },
    responses: {
      200: { description: 'Page that asks for consent, or the outcome', mediaType: 'text/html' },
      303: { description: 'Redirect to the login' },
    },
    pages: 'any',
    problems: ['access_denied', 'too_many_requests'],
  },
});
