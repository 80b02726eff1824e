import { ANONYMOUS, defineOperations, jsonResponse } from '../operations/define-operations.ts';
import { LOGIN_BODY_LIMITS } from '../operations/operation.ts';
import {
  backchannelLogoutForm,
  callbackQuery,
  confirmLinkBody,
  endedSessionsBody,
  jwksBody,
  loginBody,
  refreshBody,
  sessionStatusBody,
  signInBody,
  signInQuery,
  startLoginQuery,
  tenantParams,
  tokensBody,
} from './auth.ts';

const tokens = jsonResponse('Tokens', tokensBody);

/** Logins, tokens and their keys. */
export const identityOperations = defineOperations('identity', ANONYMOUS, {
  jwks: {
    endpoint: 'GET /.well-known/jwks.json',
    summary: 'Get the public keys that verify tokens (RFC 7517)',
    responses: { 200: jsonResponse('Key set', jwksBody) },
  },
  login: {
    endpoint: 'POST /auth/login/{tenant}',
    summary: 'Log in with e-mail and password',
    params: tenantParams,
    body: { schema: loginBody, mediaTypes: ['application/json'], ...LOGIN_BODY_LIMITS },
    responses: { 200: tokens },
    problems: ['unauthorized', 'too_many_requests'],
  },
  startLogin: {
    endpoint: 'GET /auth/login/{tenant}',
    summary: "Redirect to the login page of the tenant's identity provider, or to the login form",
    params: tenantParams,
    query: startLoginQuery,
    responses: { 302: { description: 'Redirect to the login page' } },
    pages: 'any',
  },
  finishLogin: {
    endpoint: 'GET /auth/callback/{tenant}',
    summary:
      "Finish a login at the tenant's identity provider, which redirects the browser here (RFC 6749 section 4.1.2)",
    params: tenantParams,
    query: callbackQuery,
    responses: { 200: tokens, 302: { description: 'Redirect to `return_to`, with the session cookie' } },
    pages: 'any',
    problems: ['unauthorized', 'access_denied', 'conflict', 'too_many_requests'],
    hasEffect: true,
  },
  signInPage: {
    endpoint: 'GET /auth/sign-in/{tenant}',
    summary: 'Show the login form',
    params: tenantParams,
    query: signInQuery,
    responses: { 200: { description: 'The form', mediaType: 'text/html' } },
    pages: 'any',
  },
  signIn: {
    endpoint: 'POST /auth/sign-in/{tenant}',
    summary: 'Submit the login form and set the session cookie',
    params: tenantParams,
    body: { schema: signInBody, mediaTypes: ['application/x-www-form-urlencoded'], ...LOGIN_BODY_LIMITS },
    responses: {
      200: { description: 'Signed in', mediaType: 'text/html' },
      303: { description: 'Redirect to `return_to`' },
    },
    pages: 'any',
    problems: ['unauthorized', 'too_many_requests', 'access_denied'],
  },
  confirmLink: {
    endpoint: 'POST /auth/link/{tenant}',
    summary:
      'Link the account of an admin to the identity provider after the admin enters the password (form of the callback page)',
    params: tenantParams,
    body: { schema: confirmLinkBody, mediaTypes: ['application/x-www-form-urlencoded'], ...LOGIN_BODY_LIMITS },
    responses: { 200: tokens, 303: { description: 'Redirect to `return_to`, with the session cookie' } },
    pages: 'any',
    problems: ['unauthorized', 'access_denied', 'conflict', 'too_many_requests'],
  },
  checkSession: {
    endpoint: 'GET /auth/session/{tenant}',
    summary: 'Check whether the session of the cookie is open. This does not count as a use of it and is not recorded',
    params: tenantParams,
    responses: { 200: jsonResponse('Its status. Without a cookie: not active', sessionStatusBody) },
  },
  sessionTokens: {
    endpoint: 'POST /auth/session/{tenant}',
    summary: 'Get tokens for a page with a session cookie; checks Origin',
    params: tenantParams,
    // Not 401: each first visit of a page would leave an error in the console of the browser.
    responses: { 200: tokens, 204: { description: 'There is no session. Sign in first' } },
    problems: ['access_denied'],
  },
  refresh: {
    endpoint: 'POST /auth/refresh/{tenant}',
    summary: 'Exchange a refresh token for new tokens',
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
  logout: {
    endpoint: 'GET /auth/logout/{tenant}',
    summary: 'End the session on both hosts and redirect to the login page',
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
    hasEffect: true,
  },
  backchannelLogout: {
    endpoint: 'POST /auth/backchannel-logout/{tenant}',
    summary: "End the sessions that the tenant's identity provider has ended (OpenID Connect Back-Channel Logout 1.0)",
    params: tenantParams,
    oauthErrors: true,
    body: {
      schema: backchannelLogoutForm,
      mediaTypes: ['application/x-www-form-urlencoded'],
      ...LOGIN_BODY_LIMITS,
    },
    responses: { 200: jsonResponse('The sessions have ended', endedSessionsBody) },
  },
  confirmLogout: {
    endpoint: 'POST /auth/logout/{tenant}',
    summary: 'End the session of the cookie on both hosts (form of the logout page); checks Origin',
    params: tenantParams,
    responses: { 200: { description: 'Signed out; leads to the login page', mediaType: 'text/html' } },
    problems: ['access_denied'],
  },
});
