import { defineOperations, FOR_ALL, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody, STATEMENT_BODY_LIMITS } from '../operations/operation.ts';
import { queryBody, queryParams, receiptBody, runningQueriesBody } from './query.ts';
import { queryHistoryBody, queryHistoryQuery } from './query-history.ts';
import { streamEvent } from './stream-event.ts';

/** Queries, and what the caller may know of them. */
export const queryOperations = defineOperations('queries', FOR_ALL, {
  streamQuery: {
    endpoint: 'POST /query',
    summary: 'Run a statement and stream its rows as Server-Sent Events',
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
  listQueries: {
    endpoint: 'GET /query',
    summary: "List the caller's running and queued queries",
    permission: 'query:run',
    responses: {
      200: jsonResponse('Running and queued queries', runningQueriesBody),
    },
  },
  listQueryHistory: {
    endpoint: 'GET /query/history',
    summary: "List the caller's own queries and downloads, newest first",
    scopeNeeds: ['query:run'],
    query: queryHistoryQuery,
    responses: {
      200: jsonResponse('Queries and downloads', queryHistoryBody),
    },
    problems: ['invalid_page_token'],
  },
  getQuery: {
    endpoint: 'GET /query/{id}',
    summary: 'Get the receipt of a query, which proves that a result is complete',
    params: queryParams,
    responses: { 200: jsonResponse('The receipt', receiptBody) },
    problems: ['not_found'],
  },
  cancelQuery: {
    endpoint: 'DELETE /query/{id}',
    summary: 'Cancel a query',
    permission: 'query:run',
    params: queryParams,
    responses: {
      200: jsonResponse('The query was already over', receiptBody),
      202: jsonResponse('The query is being cancelled', receiptBody),
    },
    problems: ['not_found'],
  },
});
