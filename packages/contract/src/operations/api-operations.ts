import { adminOperations } from '../administration/admin-operations.ts';
import { adminSessionOperations } from '../administration/admin-session-operations.ts';
import { configurationOperations } from '../administration/configuration-operations.ts';
import { grantOperations } from '../administration/grant-operations.ts';
import { identityProviderOperations } from '../administration/identity-provider-operations.ts';
import { invitationOperations } from '../administration/invitation-operations.ts';
import { serviceAccountOperations } from '../administration/service-account-operations.ts';
import { auditOperations } from '../audit/audit-operations.ts';
import { catalogOperations } from '../catalog/catalog-operations.ts';
import { domainOperations } from '../catalog/domain-operations.ts';
import { harvestOperations } from '../catalog/harvest-operations.ts';
import { metadataFileOperations } from '../catalog/metadata-file-operations.ts';
import { metadataOperations } from '../catalog/metadata-operations.ts';
import { datamapOperations } from '../datamaps/datamap-operations.ts';
import {
  accessTokenBody,
  callbackQuery,
  clientCredentialsBody,
  confirmLinkBody,
  jwksBody,
  loginBody,
  refreshBody,
  signInBody,
  signInQuery,
  startLoginQuery,
  tenantParams,
  tokensBody,
} from '../identity/auth.ts';
import { meOperation } from '../identity/me.ts';
import { API_CREDENTIALS, LOGIN_BODY_LIMITS, type Operation } from './operation.ts';
import { probeOperations } from './probe-operations.ts';

const tokens = { description: 'Tokens', mediaType: 'application/json', schema: tokensBody };

/** Operations of the API host. */
export const apiOperations = {
  ...probeOperations,
  getMe: meOperation(API_CREDENTIALS),
  jwks: {
    id: 'jwks',
    subject: 'identity',
    method: 'GET',
    path: '/.well-known/jwks.json',
    summary: 'Get the public keys that verify tokens (RFC 7517)',
    credentials: [],
    responses: { 200: { description: 'Key set', mediaType: 'application/json', schema: jwksBody } },
    problems: [],
  },
  login: {
    id: 'login',
    subject: 'identity',
    method: 'POST',
    path: '/auth/login/{tenant}',
    summary: 'Log in with e-mail and password',
    credentials: [],
    params: tenantParams,
    body: { schema: loginBody, mediaTypes: ['application/json'], ...LOGIN_BODY_LIMITS },
    responses: { 200: tokens },
    problems: ['unauthorized', 'too_many_requests'],
  },
  startLogin: {
    id: 'startLogin',
    subject: 'identity',
    method: 'GET',
    path: '/auth/login/{tenant}',
    summary: "Redirect to the login page of the tenant's identity provider, or to the login form",
    credentials: [],
    params: tenantParams,
    query: startLoginQuery,
    responses: { 302: { description: 'Redirect to the login page' } },
    pages: 'any',
    problems: [],
  },
  finishLogin: {
    id: 'finishLogin',
    subject: 'identity',
    method: 'GET',
    path: '/auth/callback/{tenant}',
    summary:
      "Finish a login at the tenant's identity provider, which redirects the browser here (RFC 6749 section 4.1.2)",
    credentials: [],
    params: tenantParams,
    query: callbackQuery,
    responses: { 200: tokens, 302: { description: 'Redirect to `return_to`, with the session cookie' } },
    pages: 'any',
    problems: ['unauthorized', 'access_denied', 'conflict', 'too_many_requests'],
    hasEffect: true,
  },
  signInPage: {
    id: 'signInPage',
    subject: 'identity',
    method: 'GET',
    path: '/auth/sign-in/{tenant}',
    summary: 'Show the login form',
    credentials: [],
    params: tenantParams,
    query: signInQuery,
    responses: { 200: { description: 'The form', mediaType: 'text/html' } },
    problems: [],
  },
  signIn: {
    id: 'signIn',
    subject: 'identity',
    method: 'POST',
    path: '/auth/sign-in/{tenant}',
    summary: 'Submit the login form and set the session cookie',
    credentials: [],
    params: tenantParams,
    body: { schema: signInBody, mediaTypes: ['application/x-www-form-urlencoded'], ...LOGIN_BODY_LIMITS },
    responses: {
      200: { description: 'Signed in', mediaType: 'text/html' },
      303: { description: 'Redirect to `return_to`' },
    },
    pages: ['unauthorized', 'too_many_requests'],
    problems: ['unauthorized', 'too_many_requests', 'access_denied'],
  },
  confirmLink: {
    id: 'confirmLink',
    subject: 'identity',
    method: 'POST',
    path: '/auth/link/{tenant}',
    summary:
      'Link the account of an admin to the identity provider after the admin enters the password (form of the callback page)',
    credentials: [],
    params: tenantParams,
    body: { schema: confirmLinkBody, mediaTypes: ['application/x-www-form-urlencoded'], ...LOGIN_BODY_LIMITS },
    responses: { 200: tokens, 303: { description: 'Redirect to `return_to`, with the session cookie' } },
    pages: 'any',
    problems: ['unauthorized', 'access_denied', 'conflict', 'too_many_requests'],
  },
  sessionTokens: {
    id: 'sessionTokens',
    subject: 'identity',
    method: 'POST',
    path: '/auth/session/{tenant}',
    summary: 'Get tokens for a page with a session cookie; checks Origin',
    credentials: [],
    params: tenantParams,
    // Not 401: each first visit of a page would leave an error in the console of the browser.
    responses: { 200: tokens, 204: { description: 'There is no session. Sign in first' } },
    problems: ['access_denied'],
  },
  refresh: {
    id: 'refresh',
    subject: 'identity',
    method: 'POST',
    path: '/auth/refresh/{tenant}',
    summary: 'Exchange a refresh token for new tokens',
    credentials: [],
    params: tenantParams,
    oauthErrors: true,
    body: {
      schema: refreshBody,
      mediaTypes: ['application/x-www-form-urlencoded', 'application/json'],
      ...LOGIN_BODY_LIMITS,
    },
    responses: { 200: tokens },
    problems: ['invalid_grant'],
  },
  clientCredentials: {
    id: 'clientCredentials',
    subject: 'identity',
    method: 'POST',
    path: '/auth/{tenant}/oauth2/token',
    summary: 'Get an access token for a service account (RFC 6749 section 4.4)',
    credentials: [],
    params: tenantParams,
    oauthErrors: true,
    body: {
      schema: clientCredentialsBody,
      mediaTypes: ['application/x-www-form-urlencoded'],
      ...LOGIN_BODY_LIMITS,
    },
    responses: { 200: { description: 'Access token', mediaType: 'application/json', schema: accessTokenBody } },
    problems: ['invalid_client', 'unsupported_grant_type', 'too_many_requests'],
  },
  logout: {
    id: 'logout',
    subject: 'identity',
    method: 'GET',
    path: '/auth/logout/{tenant}',
    summary: 'End the session on both hosts and redirect to the login page',
    credentials: [],
    params: tenantParams,
    responses: {
      200: {
        description:
          'Form of `confirmLogout`, for a browser that a page of another site sent here. The session goes on',
        mediaType: 'text/html',
      },
      302: {
        description: 'Redirect to /auth/login/{tenant}, through the logout of the identity provider if it has one',
      },
    },
    problems: [],
    hasEffect: true,
  },
  confirmLogout: {
    id: 'confirmLogout',
    subject: 'identity',
    method: 'POST',
    path: '/auth/logout/{tenant}',
    summary: 'End the session of the cookie on both hosts (form of the logout page); checks Origin',
    credentials: [],
    params: tenantParams,
    responses: { 200: { description: 'Signed out; leads to the login page', mediaType: 'text/html' } },
    problems: ['access_denied'],
  },
  ...metadataOperations,
  ...metadataFileOperations,
  ...harvestOperations,
  ...catalogOperations,
  ...auditOperations,
  ...domainOperations,
  ...datamapOperations,
  ...invitationOperations,
  ...adminOperations,
  ...adminSessionOperations,
  ...serviceAccountOperations,
  ...grantOperations,
  ...identityProviderOperations,
  ...configurationOperations,
} as const satisfies Record<string, Operation>;
