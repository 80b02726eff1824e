import type { CredentialKind, Operation } from '../operations/operation.ts';
import { queryParams, receiptBody } from '../queries/query.ts';
import { adminQueriesBody } from './admin-query.ts';

const credentials: readonly CredentialKind[] = ['basic', 'idtoken', 'bearer'];
const admin = { subject: 'administration', credentials, permission: 'admin' } as const;

/** Queries of a tenant, for its admins. Served by the stream host. */
export const adminQueryOperations = {
  listTenantQueries: {
    ...admin,
    id: 'listTenantQueries',
    method: 'GET',
    path: '/admin/queries',
    summary: 'List the running and queued queries and downloads of all users of the tenant, oldest first',
    responses: {
      200: { description: 'Running and queued queries', mediaType: 'application/json', schema: adminQueriesBody },
    },
    problems: ['audit_unavailable'],
  },
  cancelTenantQuery: {
    ...admin,
    id: 'cancelTenantQuery',
    method: 'DELETE',
    path: '/admin/queries/{id}',
    summary: 'Cancel a query of any user of the tenant, on any host',
    params: queryParams,
    responses: {
      202: { description: 'The query is being cancelled', mediaType: 'application/json', schema: receiptBody },
    },
    problems: ['not_found', 'conflict', 'audit_unavailable'],
  },
} as const satisfies Record<string, Operation>;
