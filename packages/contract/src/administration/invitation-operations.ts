import { tenantParams } from '../identity/auth.ts';
import { LOGIN_BODY_LIMITS, type Operation } from '../operations/operation.ts';
import { acceptedInvitation, acceptInvitationBody, invitationQuery } from './invitation.ts';

/** Where an invited person sets a password. */
export const invitationOperations = {
  invitationPage: {
    id: 'invitationPage',
    method: 'GET',
    path: '/auth/invitation/{tenant}',
    summary: 'The page that an invitation leads to',
    credentials: [],
    params: tenantParams,
    query: invitationQuery,
    answers: { 200: { description: 'The form', mediaType: 'text/html' } },
    pages: ['not_found'],
    problems: ['not_found'],
  },
  acceptInvitation: {
    id: 'acceptInvitation',
    method: 'POST',
    path: '/auth/invitation/{tenant}',
    summary: 'Set the password of an invited account, once; a form is answered with a page',
    credentials: [],
    params: tenantParams,
    body: {
      schema: acceptInvitationBody,
      mediaTypes: ['application/json', 'application/x-www-form-urlencoded'],
      ...LOGIN_BODY_LIMITS,
    },
    answers: {
      200: {
        description: 'Who may log in now',
        mediaType: 'application/json',
        schema: acceptedInvitation,
        alternatives: [{ mediaType: 'text/html' }],
      },
    },
    pages: ['invalid_request', 'not_found', 'conflict', 'too_many_requests'],
    problems: ['not_found', 'conflict', 'too_many_requests', 'audit_unavailable'],
  },
} as const satisfies Record<string, Operation>;
