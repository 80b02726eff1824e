import { defineOperations, jsonResponse } from '../operations/define-operations.ts';
import { ANY_CREDENTIAL } from '../operations/operation.ts';
import { queryParams, receiptBody } from '../queries/query.ts';
import { adminQueriesBody } from './admin-query.ts';

const ADMIN = { credentials: ANY_CREDENTIAL, permission: 'admin' } as const;

/** Queries of a tenant, for its admins. Served by the stream host. */
export const adminQueryOperations = defineOperations('administration', ADMIN, {
  listTenantQueries: {
    endpoint: 'GET /admin/queries',
    summary: 'List the running and queued queries and downloads of all users of the tenant, oldest first',
    responses: {
      200: jsonResponse('Running and queued queries', adminQueriesBody),
    },
    problems: ['audit_unavailable'],
  },
  cancelTenantQuery: {
    endpoint: 'DELETE /admin/queries/{id}',
    summary: 'Cancel a query of any user of the tenant, on any host',
    params: queryParams,
    responses: {
      202: jsonResponse('The query is being cancelled', receiptBody),
    },
    problems: ['not_found', 'conflict', 'audit_unavailable'],
  },
});
