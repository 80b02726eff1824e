import { defineOperations, FOR_ADMINS, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import { identityProvider, identityProviderBody, testLogin } from './identity-provider.ts';

/** 200 mappings with 100 roles each. */
const PROVIDER_VALUES_MAX = 25_000;

const one = (description: string) => jsonResponse(description, identityProvider);

/** Identity provider of the caller's tenant. */
export const identityProviderOperations = defineOperations('administration', FOR_ADMINS, {
  getIdentityProvider: {
    endpoint: 'GET /admin/identity-provider',
    summary: 'Get the identity provider of the tenant, without its secret',
    responses: { 200: one('The identity provider') },
    problems: ['not_found', 'audit_unavailable'],
  },
  putIdentityProvider: {
    endpoint: 'PUT /admin/identity-provider',
    summary: 'Replace the identity provider after its discovery document was fetched; If-Match prevents lost updates',
    body: jsonBody(identityProviderBody, { valuesMax: PROVIDER_VALUES_MAX }),
    responses: { 200: one('The identity provider') },
    problems: ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'],
  },
  deleteIdentityProvider: {
    endpoint: 'DELETE /admin/identity-provider',
    summary: 'Delete the identity provider; only password login remains. If-Match prevents lost updates',
    responses: { 204: { description: 'Deleted' } },
    problems: ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'],
  },
  testIdentityProvider: {
    endpoint: 'POST /admin/identity-provider/test-login',
    summary:
      'Get an address at which a browser logs in at the identity provider and sees the received claims and the roles they give. It signs no user in and changes nothing',
    responses: { 201: jsonResponse('Where the login begins', testLogin) },
    problems: ['not_found', 'audit_unavailable'],
  },
});
