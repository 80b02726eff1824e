import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { keysetFields, keysetPage } from '../fields/page-query.ts';
import { endedSessionsBody } from '../identity/own-account.ts';
import { defineOperations, FOR_ADMINS, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import { limitsBody, tenantLimitsBody } from './admin-limits.ts';

const UUID_CHARACTERS = 36;
const accountId = z
  .uuid({ error: 'account_id must be the id of a user or service account' })
  .meta({ maxLength: UUID_CHARACTERS });

export const sessionsQuery = z.strictObject({
  ...keysetFields,
  account_id: accountId.optional().describe('Id of a user or service account. Absent: all of the tenant'),
});
export type SessionsQuery = z.infer<typeof sessionsQuery>;

const sessionEntry = z.object({
  id: z.string().describe('`sid` of its tokens'),
  kind: z.enum(['user', 'client']),
  account_id: z.string(),
  user: z.string().describe('E-mail address or client id'),
  issuer: z.string().nullable().describe('Identity provider of the login; null for a password or a client secret'),
  client: z
    .string()
    .nullable()
    .describe('Program that the user let log in by OAuth, such as `sluice-cli`; null for any other login'),
  created_ts: epochMs,
  expires_ts: epochMs,
  current: z.boolean().describe('True for the session of this request'),
});

export const sessionsBody = keysetPage(sessionEntry).meta({ id: 'AdminSessions' });
export type AdminSessions = z.infer<typeof sessionsBody>;

const endSessionsBody = z
  .strictObject({
    account_id: accountId.nullable().describe('Id of a user or service account. Null: all of the tenant'),
  })
  .meta({ id: 'EndSessionsRequest' });

const sessionParams = z.strictObject({ id: z.string() });

const limits = (description: string) => jsonResponse(description, tenantLimitsBody);

/** Sessions and limits of the caller's tenant. */
export const adminSessionOperations = defineOperations('administration', FOR_ADMINS, {
  listSessions: {
    endpoint: 'GET /admin/sessions',
    summary: 'List the open sessions of the tenant, newest first',
    query: sessionsQuery,
    responses: { 200: jsonResponse('Sessions', sessionsBody) },
    problems: ['not_found', 'invalid_page_token', 'audit_unavailable'],
  },
  endSession: {
    endpoint: 'DELETE /admin/sessions/{id}',
    summary: 'End a session. Both hosts reject its tokens within 2 s, and its queries stop',
    params: sessionParams,
    responses: { 204: { description: 'The session has ended' } },
    problems: ['not_found', 'conflict', 'audit_unavailable'],
  },
  endSessions: {
    endpoint: 'POST /admin/sessions/end',
    summary: 'End all sessions of an account, or of the tenant, except that of this request',
    body: jsonBody(endSessionsBody),
    responses: { 200: jsonResponse('Number of sessions', endedSessionsBody) },
    problems: ['not_found', 'audit_unavailable'],
  },
  getLimits: {
    endpoint: 'GET /admin/limits',
    summary: 'Get the limits of the tenant: its own, those of the operator, and those in force',
    responses: { 200: limits('Limits') },
    problems: ['audit_unavailable'],
  },
  putLimits: {
    endpoint: 'PUT /admin/limits',
    summary:
      "Replace the tenant's own limits, which cannot exceed those of the operator. They apply to queries that start later",
    body: jsonBody(limitsBody),
    responses: { 200: limits('The new limits') },
    problems: ['precondition_failed', 'audit_unavailable'],
  },
});
