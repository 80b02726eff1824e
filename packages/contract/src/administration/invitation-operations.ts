import { tenantParams } from '../identity/auth.ts';
import { ANONYMOUS, defineOperations } from '../operations/define-operations.ts';
import { LOGIN_BODY_LIMITS } from '../operations/operation.ts';
import { acceptedInvitation, acceptInvitationBody, invitationQuery } from './invitation.ts';

/** Acceptance of invitations. */
export const invitationOperations = defineOperations('administration', ANONYMOUS, {
  invitationPage: {
    endpoint: 'GET /auth/invitation/{tenant}',
    summary: 'Show the page of an invitation',
    params: tenantParams,
    query: invitationQuery,
    responses: { 200: { description: 'The form', mediaType: 'text/html' } },
    pages: ['not_found'],
    problems: ['not_found'],
  },
  acceptInvitation: {
    endpoint: 'POST /auth/invitation/{tenant}',
    summary: 'Set the password of an invited account, once. The response to a form is a page',
    params: tenantParams,
    body: {
      schema: acceptInvitationBody,
      mediaTypes: ['application/json', 'application/x-www-form-urlencoded'],
      ...LOGIN_BODY_LIMITS,
    },
    responses: {
      200: {
        description: 'The account that can log in now',
        mediaType: 'application/json',
        schema: acceptedInvitation,
        alternatives: [{ mediaType: 'text/html' }],
      },
    },
    pages: ['invalid_request', 'not_found', 'conflict', 'too_many_requests'],
    problems: ['not_found', 'conflict', 'too_many_requests', 'audit_unavailable'],
  },
});
