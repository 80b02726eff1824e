import { marketplaceOperations } from '../marketplace/marketplace-operations.ts';
import { STATEMENT_PROBLEMS } from '../problems/problem.ts';
import {
  csvDownloadBody,
  failedResultSetBody,
  jsonDownloadBody,
  parquetDownloadBody,
  queryBody,
  queryParams,
  receiptBody,
  resultSetBody,
  runningQueriesBody,
  xlsxDownloadBody,
} from '../queries/query.ts';
import { streamEvent } from '../queries/stream-event.ts';
import { type CredentialKind, jsonBody, type Operation, STREAM_BODY_BYTES_MAX } from './operation.ts';
import { probeOperations } from './probe-operations.ts';

const ANY_CREDENTIAL: readonly CredentialKind[] = ['basic', 'idtoken', 'bearer'];

/** Operations of the stream host. */
export const streamOperations = {
  ...probeOperations,
  ...marketplaceOperations,
  streamQuery: {
    id: 'streamQuery',
    method: 'POST',
    path: '/query',
    summary: 'Run a statement and stream its rows as Server-Sent Events',
    credentials: ANY_CREDENTIAL,
    permission: 'query:run',
    body: jsonBody(queryBody, STREAM_BODY_BYTES_MAX),
    responses: {
      200: {
        description: 'Events. The last one is either `complete` or `error`',
        mediaType: 'text/event-stream',
        schema: streamEvent,
      },
    },
    problems: ['audit_unavailable', 'server_shutdown', 'too_many_requests'],
  },
  downloadJson: {
    id: 'downloadJson',
    method: 'POST',
    path: '/query/download/json',
    summary: 'Run a statement and download its result as JSON',
    credentials: ANY_CREDENTIAL,
    permission: 'query:run',
    body: jsonBody(jsonDownloadBody, STREAM_BODY_BYTES_MAX),
    streams: true,
    responses: { 200: { description: 'The result set', mediaType: 'application/json', schema: resultSetBody } },
    failedStatement: failedResultSetBody,
    problems: [...STATEMENT_PROBLEMS, 'too_many_requests'],
  },
  downloadCsv: {
    id: 'downloadCsv',
    method: 'POST',
    path: '/query/download/csv',
    summary: 'Run a statement and download its result as CSV',
    credentials: ANY_CREDENTIAL,
    permission: 'query:run',
    body: jsonBody(csvDownloadBody, STREAM_BODY_BYTES_MAX),
    streams: true,
    responses: {
      200: { description: 'A header row with the column names, then one line per row', mediaType: 'text/csv' },
    },
    problems: [...STATEMENT_PROBLEMS, 'too_many_requests'],
  },
  downloadXlsx: {
    id: 'downloadXlsx',
    method: 'POST',
    path: '/query/download/xlsx',
    summary: 'Run a statement and download its result as an Excel workbook',
    credentials: ANY_CREDENTIAL,
    permission: 'query:run',
    body: jsonBody(xlsxDownloadBody, STREAM_BODY_BYTES_MAX),
    streams: true,
    responses: {
      200: {
        description: 'A workbook. A result with more rows than a sheet can hold continues on further sheets',
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      },
    },
    problems: [...STATEMENT_PROBLEMS, 'too_many_requests'],
  },
  downloadParquet: {
    id: 'downloadParquet',
    method: 'POST',
    path: '/query/download/parquet',
    summary: 'Run a statement and download its result as Parquet, if the engine can write it',
    credentials: ANY_CREDENTIAL,
    permission: 'query:run',
    body: jsonBody(parquetDownloadBody, STREAM_BODY_BYTES_MAX),
    streams: true,
    responses: {
      200: {
        description: 'A Parquet file. A truncated file has no footer, and readers reject it',
        mediaType: 'application/vnd.apache.parquet',
      },
    },
    problems: [...STATEMENT_PROBLEMS, 'too_many_requests'],
  },
  listQueries: {
    id: 'listQueries',
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
  getQuery: {
    id: 'getQuery',
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
