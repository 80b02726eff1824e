import { z } from 'zod';
import { boundedText } from '../fields/text-field.ts';
import { ANONYMOUS, defineOperations, jsonResponse } from '../operations/define-operations.ts';
import { LOGIN_BODY_LIMITS } from '../operations/operation.ts';
import { tenantParams } from './auth.ts';

/** A login holds an address, the name of a program, a hash and a time, and what seals them. */
const LOGIN_CHARACTERS_MAX = 1024;
const SECRET_CHARACTERS_MAX = 64;

const login = boundedText('login', LOGIN_CHARACTERS_MAX).describe('What the challenge of the stream host names');

const pageQuery = z.object({ login });

/** Form of the page. Without a decision, it shows the page again. */
export const externalLoginForm = z.object({
  login,
  account: boundedText('account', 64).optional().describe('Id of the user to whom the page was shown'),
  decision: z.enum(['approve', 'deny'], { error: 'decision must be approve or deny' }).optional(),
});

/** The secret is in the query string, which proxies do not log. */
const pollQuery = z.object({
  // The handler checks that it has the form of a secret.
  secret: boundedText('secret', SECRET_CHARACTERS_MAX),
});

/** State of a login, with one of its members (Trino's protocol of external authentication). */
const externalLoginState = z
  .object({
    token: z.string().optional().describe('Access token for the stream host'),
    nextUri: z.string().optional().describe('Address to ask again, because the user has not decided'),
    error: z.string().optional().describe('Why there will be no token'),
  })
  .meta({ id: 'ExternalLoginState' });
export type ExternalLoginState = z.infer<typeof externalLoginState>;

/** Logins of Trino clients in a browser (`externalAuthentication` of their drivers). */
export const externalLoginOperations = defineOperations('identity', ANONYMOUS, {
  externalLoginPage: {
    endpoint: 'GET /auth/external/{tenant}',
    summary: 'Show which Trino client asks to log in',
    params: tenantParams,
    query: pageQuery,
    responses: {
      200: { description: 'Page that asks for consent', mediaType: 'text/html' },
      302: { description: 'Redirect to the login' },
    },
    pages: 'any',
    problems: ['access_denied'],
  },
  decideExternalLogin: {
    endpoint: 'POST /auth/external/{tenant}',
    summary: 'Approve or deny the login of a Trino client; checks Origin',
    params: tenantParams,
    body: { schema: externalLoginForm, mediaTypes: ['application/x-www-form-urlencoded'], ...LOGIN_BODY_LIMITS },
    responses: {
      200: {
        description: 'The outcome, or the page again, because another user has signed in',
        mediaType: 'text/html',
      },
      303: { description: 'Redirect to the login' },
    },
    pages: 'any',
    problems: ['access_denied'],
  },
  pollExternalLogin: {
    endpoint: 'GET /auth/external/{tenant}/token',
    summary: 'Wait for the decision of the user, for up to 25 s, and get the token of an approved login once',
    params: tenantParams,
    query: pollQuery,
    responses: { 200: jsonResponse('State of the login', externalLoginState) },
    hasEffect: true,
    problems: ['too_many_requests'],
  },
  endExternalLogin: {
    endpoint: 'DELETE /auth/external/{tenant}/token',
    summary: 'Confirm that the token has arrived, so that no later request gets it',
    params: tenantParams,
    query: pollQuery,
    responses: { 204: { description: 'The token is forgotten' } },
  },
});
