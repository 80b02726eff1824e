import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { defineOperations, jsonResponse } from '../operations/define-operations.ts';
import { ANY_CREDENTIAL } from '../operations/operation.ts';
import { listedSqlFields, QUERY_STATES, queryParams, receiptBody } from '../queries/query.ts';
import { queryKind } from '../queries/query-history.ts';

export const adminQueriesBody = z
  .object({
    data: z.array(
      z.object({
        query_id: z.string(),
        user: z.string().describe('E-mail address or client id'),
        kind: queryKind,
        ...listedSqlFields,
        state: z.enum(QUERY_STATES),
        started_ts: epochMs,
        rows: z.int().min(0),
        bytes: z.int().min(0),
      }),
    ),
  })
  .meta({ id: 'AdminQueries' });
export type AdminQueries = z.infer<typeof adminQueriesBody>;

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
