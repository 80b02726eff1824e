import { defineOperations, FOR_ADMINS, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import { limitsBody, tenantLimitsBody } from './admin-limits.ts';
import { sessionParams, sessionsBody, sessionsQuery } from './admin-session.ts';

const limits = (description: string) => jsonResponse(description, tenantLimitsBody);

/** Sessions and limits of the caller's tenant. */
export const adminSessionOperations = defineOperations('administration', FOR_ADMINS, {
  listSessions: {
    endpoint: 'GET /admin/sessions',
    summary: 'List the open sessions of the tenant, newest first',
    query: sessionsQuery,
    responses: { 200: jsonResponse('Sessions', sessionsBody) },
    problems: ['invalid_page_token', 'audit_unavailable'],
  },
  endSession: {
    endpoint: 'DELETE /admin/sessions/{id}',
    summary: 'End a session. Both hosts reject its tokens within 2 s, and its queries stop',
    params: sessionParams,
    responses: { 204: { description: 'The session has ended' } },
    problems: ['not_found', 'conflict', 'audit_unavailable'],
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
