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
/** Everything the stream host serves. */
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
    answers: {
      200: {
        description: 'Events; exactly one of complete and error is the last',
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
    answers: { 200: { description: 'The result set', mediaType: 'application/json', schema: resultSetBody } },
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
    answers: { 200: { description: 'A header row of column names, then one line a row', mediaType: 'text/csv' } },
    problems: [...STATEMENT_PROBLEMS, 'too_many_requests'],
  },
  downloadXlsx: {
    id: 'downloadXlsx',
    method: 'POST',
    path: '/query/download/xlsx',
    summary: 'Run a statement and download its result as a workbook',
    credentials: ANY_CREDENTIAL,
    permission: 'query:run',
    body: jsonBody(xlsxDownloadBody, STREAM_BODY_BYTES_MAX),
    streams: true,
    answers: {
      200: {
        description: 'A workbook: the result on one sheet, or on several where it has more rows than a sheet',
        mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      },
    },
    problems: [...STATEMENT_PROBLEMS, 'too_many_requests'],
  },
  downloadParquet: {
    id: 'downloadParquet',
    method: 'POST',
    path: '/query/download/parquet',
    summary: 'Run a statement and download its result as Parquet, where the engine writes it',
    credentials: ANY_CREDENTIAL,
    permission: 'query:run',
    body: jsonBody(parquetDownloadBody, STREAM_BODY_BYTES_MAX),
    streams: true,
    answers: {
      200: {
        description: 'A Parquet file; one that was cut has no footer, and no reader takes it',
        mediaType: 'application/vnd.apache.parquet',
      },
    },
    problems: [...STATEMENT_PROBLEMS, 'too_many_requests'],
  },
  listQueries: {
    id: 'listQueries',
    method: 'GET',
    path: '/query',
    summary: 'The queries of the caller that run or wait for a worker',
    credentials: ANY_CREDENTIAL,
    permission: 'query:run',
    answers: {
      200: {
        description: 'Queries that run, and those that wait (QUEUED)',
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
    summary: 'The receipt of a query: what proves that its result is whole',
    credentials: ANY_CREDENTIAL,
    params: queryParams,
    answers: { 200: { description: 'The receipt', mediaType: 'application/json', schema: receiptBody } },
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
    answers: {
      200: { description: 'It is over already', mediaType: 'application/json', schema: receiptBody },
      202: { description: 'It is being cancelled', mediaType: 'application/json', schema: receiptBody },
    },
    problems: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
