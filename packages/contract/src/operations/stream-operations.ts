import { adminQueryOperations } from '../administration/admin-query-operations.ts';
import { datamapDownloadOperations } from '../datamaps/datamap-download-operations.ts';
import { meOperation } from '../identity/me.ts';
import { marketplaceLinkOperations } from '../marketplace/marketplace-link-operations.ts';
import { marketplaceOperations } from '../marketplace/marketplace-operations.ts';
import { downloadOperations } from '../queries/download-operations.ts';
import { queryBody, queryParams, receiptBody, runningQueriesBody } from '../queries/query.ts';
import { queryHistoryBody, queryHistoryQuery } from '../queries/query-history.ts';
import { streamEvent } from '../queries/stream-event.ts';
import { ticketOperations } from '../queries/ticket-operations.ts';
import { type CredentialKind, jsonBody, type Operation, STATEMENT_BODY_LIMITS } from './operation.ts';
import { probeOperations } from './probe-operations.ts';

const ANY_CREDENTIAL: readonly CredentialKind[] = ['basic', 'idtoken', 'bearer'];

/** Operations of the stream host. */
export const streamOperations = {
  ...probeOperations,
  getMe: meOperation(ANY_CREDENTIAL),
  ...adminQueryOperations,
  ...marketplaceOperations,
  ...marketplaceLinkOperations,
  ...datamapDownloadOperations,
  ...ticketOperations,
  streamQuery: {
    id: 'streamQuery',
    subject: 'queries',
    method: 'POST',
    path: '/query',
    summary: 'Run a statement and stream its rows as Server-Sent Events',
    credentials: ANY_CREDENTIAL,
    permission: 'query:run',
    body: { ...jsonBody(queryBody, STATEMENT_BODY_LIMITS), exactNumbersIn: 'parameters' },
    responses: {
      200: {
        description: 'Events. The last one is either `complete` or `error`',
        mediaType: 'text/event-stream',
        schema: streamEvent,
      },
    },
    problems: ['audit_unavailable', 'server_shutdown', 'too_many_requests'],
  },
  ...downloadOperations,
  listQueries: {
    id: 'listQueries',
    subject: 'queries',
    method: 'GET',
    path: '/query',
    summary: "List the caller's running and queued queries",
    credentials: ANY_CREDENTIAL,
    permission: 'query:run',
    responses: {
      200: {
        description: 'Running and queued queries',
        mediaType: 'application/json',
        schema: runningQueriesBody,
      },
    },
    problems: [],
  },
  listQueryHistory: {
    id: 'listQueryHistory',
    subject: 'queries',
    method: 'GET',
    path: '/query/history',
    summary: "List the caller's own queries and downloads, newest first",
    credentials: ANY_CREDENTIAL,
    query: queryHistoryQuery,
    responses: {
      200: { description: 'Queries and downloads', mediaType: 'application/json', schema: queryHistoryBody },
    },
    problems: ['invalid_page_token'],
  },
  getQuery: {
    id: 'getQuery',
    subject: 'queries',
    method: 'GET',
    path: '/query/{id}',
    summary: 'Get the receipt of a query, which proves that a result is complete',
    credentials: ANY_CREDENTIAL,
    params: queryParams,
    responses: { 200: { description: 'The receipt', mediaType: 'application/json', schema: receiptBody } },
    problems: ['not_found'],
  },
  cancelQuery: {
    id: 'cancelQuery',
    subject: 'queries',
    method: 'DELETE',
    path: '/query/{id}',
    summary: 'Cancel a query',
    credentials: ANY_CREDENTIAL,
    permission: 'query:run',
    params: queryParams,
    responses: {
      200: { description: 'The query was already over', mediaType: 'application/json', schema: receiptBody },
      202: { description: 'The query is being cancelled', mediaType: 'application/json', schema: receiptBody },
    },
    problems: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
