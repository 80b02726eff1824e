import { z } from 'zod';
import { defineOperations, FOR_ALL, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody, STATEMENT_BODY_LIMITS } from '../operations/operation.ts';
import { columnBody } from './column.ts';
import { keptRowsBody, keptRowsQuery } from './kept-result.ts';
import { QUERY_STATES, queryBody, queryParams, receiptBody, runningQueriesBody } from './query.ts';
import { queryHistoryBody, queryHistoryQuery } from './query-history.ts';

/** Events of POST /query. Every complete stream ends with one `complete` or one `error`; a stream without it was cut. */
const streamEvent = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('metadata'), columns: z.array(columnBody) }),
    z.object({ type: z.literal('row'), data: z.record(z.string(), z.unknown()) }),
    z.object({
      type: z.literal('progress'),
      state: z.enum(QUERY_STATES),
      rows: z.int(),
      bytes: z.int(),
      splits_done: z.int().nullable(),
      splits_total: z.int().nullable(),
    }),
    z.object({
      type: z.literal('complete'),
      query_id: z.string().optional(),
      rows: z.int().optional(),
      elapsed_ms: z.int().optional(),
      limited: z.boolean().optional(),
      kept_until: z.int().optional(),
      not_kept: z.string().optional(),
    }),
    z.object({
      type: z.literal('error'),
      error: z.string(),
      code: z.string(),
      query_id: z.string(),
      location: z.object({ line: z.int(), column: z.int() }).optional(),
    }),
  ])
  .meta({ id: 'StreamEvent' });

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
  readRows: {
    endpoint: 'GET /query/{id}/rows',
    summary: "Read rows of one of the caller's kept results",
    permission: 'query:run',
    params: queryParams,
    query: keptRowsQuery,
    responses: { 200: jsonResponse('Rows, as in a JSON download', keptRowsBody) },
    problems: ['audit_unavailable', 'not_found', 'storage_unavailable'],
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
