import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { keysetFields, keysetPage } from '../fields/page-query.ts';
import { defineOperations, FOR_OWN_ACCOUNT, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody, LOGIN_BODY_LIMITS } from '../operations/operation.ts';
import { changePasswordBody } from './auth.ts';

/** Characters of the User-Agent header that a session keeps. */
export const SESSION_USER_AGENT_MAX = 256;

const sessionEntry = z.object({
  id: z.string().describe('`sid` of its tokens'),
  opened_by: z.enum(['browser', 'program']).describe('`browser`: a login that set the session cookie'),
  client: z
    .string()
    .nullable()
    .describe('Program that the user let log in by OAuth, such as `sluice-cli`; null for any other login'),
  issuer: z.string().nullable().describe('Identity provider of the login; null for a password or a client secret'),
  device: z
    .object({
      name: z.string().nullable().describe('Browser, or program such as `curl`'),
      system: z.string().nullable().describe('Such as `Windows` or `iPhone`'),
    })
    .describe('What the User-Agent header names. Null: it names none that is known'),
  address: z.string().nullable().describe('Client address of the login; null for sessions from before it was kept'),
  user_agent: z
    .string()
    .nullable()
    .describe(`First ${SESSION_USER_AGENT_MAX} characters of the User-Agent header of the login`),
  created_ts: epochMs,
  last_used_ts: epochMs.describe('Last request with the session, to ten seconds'),
  expires_ts: epochMs,
  current: z.boolean().describe('True for the session of this request'),
});

const sessionsBody = keysetPage(sessionEntry).meta({ id: 'OwnSessions' });

export const endedSessionsBody = z
  .object({ ended_count: z.int().min(0).describe('Sessions that ended') })
  .meta({ id: 'EndedSessions' });

/** Sessions and password of the caller. */
export const ownAccountOperations = defineOperations('identity', FOR_OWN_ACCOUNT, {
  listOwnSessions: {
    endpoint: 'GET /me/sessions',
    summary: 'List the open sessions of the caller, newest first',
    query: z.strictObject(keysetFields),
    responses: { 200: jsonResponse('Sessions', sessionsBody) },
    problems: ['invalid_page_token'],
  },
  endOwnSession: {
    endpoint: 'DELETE /me/sessions/{id}',
    summary: 'End a session of the caller. Both hosts reject its tokens within 2 s, and its queries stop',
    params: z.strictObject({ id: z.string() }),
    responses: { 204: { description: 'The session has ended' } },
    problems: ['not_found', 'conflict', 'audit_unavailable'],
  },
  endOtherSessions: {
    endpoint: 'POST /me/sessions/end-others',
    summary: 'End all sessions of the caller except that of this request',
    responses: { 200: jsonResponse('Number of sessions', endedSessionsBody) },
    problems: ['audit_unavailable'],
  },
  changePassword: {
    endpoint: 'POST /me/change-password',
    summary: 'Change the password of the caller, who sends the current one. All other sessions of the caller end',
    body: jsonBody(changePasswordBody, LOGIN_BODY_LIMITS),
    responses: { 204: { description: 'The password is changed' } },
    problems: ['conflict', 'audit_unavailable'],
  },
});
