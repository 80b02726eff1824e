import { jsonBody, type Operation } from '../operations/operation.ts';
import { identityProvider, identityProviderBody } from './identity-provider.ts';

const admin = { credentials: ['idtoken'], permission: 'admin', path: '/admin/identity-provider' } as const;
const one = (description: string) => ({ description, mediaType: 'application/json', schema: identityProvider });

/** Where the people of the caller's own tenant log in. */
export const identityProviderOperations = {
  getIdentityProvider: {
    ...admin,
    id: 'getIdentityProvider',
    method: 'GET',
    summary: 'The identity provider of the tenant, without its secret',
    answers: { 200: one('The identity provider') },
    problems: ['not_found', 'audit_unavailable'],
  },
  putIdentityProvider: {
    ...admin,
    id: 'putIdentityProvider',
    method: 'PUT',
    summary:
      'Set all of the identity provider, whose discovery document is read before; If-Match guards against a lost update',
    body: jsonBody(identityProviderBody),
    answers: { 200: one('The identity provider') },
    problems: ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'],
  },
  deleteIdentityProvider: {
    ...admin,
    id: 'deleteIdentityProvider',
    method: 'DELETE',
    summary: 'Remove it: people log in by password alone. If-Match guards against a lost update',
    answers: { 204: { description: 'It is gone' } },
    problems: ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'],
  },
} as const satisfies Record<string, Operation>;
