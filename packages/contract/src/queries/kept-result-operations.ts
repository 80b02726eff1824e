import { defineOperations, FOR_ALL, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody, type OperationContent } from '../operations/operation.ts';
import { type DownloadFormat, downloadFormats } from './download-formats.ts';
import { keptRowsBody, keptRowsQuery } from './kept-result.ts';
import {
  keptResultBody,
  resultDownloadParams,
  resultDownloadQuery,
  resultSharesBody,
  resumeQuery,
} from './kept-result-views.ts';
import { queryParams } from './query.ts';
import { streamEvent } from './stream-event.ts';

const contentOf = ({ mediaType, schema }: DownloadFormat): OperationContent =>
  schema === undefined ? { mediaType } : { mediaType, schema };
/** A view by another account than the one that ran the query waits for a worker, which asks the engine. */
const VIEW_PROBLEMS = [
  'audit_unavailable',
  'engine_unavailable',
  'gone',
  'not_found',
  'storage_unavailable',
  'time_limit',
] as const;
const CONTENTS = downloadFormats.map(([, format]) => contentOf(format));

/** Kept results of queries. Each view is recorded in the audit log. */
export const keptResultOperations = defineOperations(
  'queries',
  { ...FOR_ALL, permission: 'query:run' },
  {
    getResult: {
      endpoint: 'GET /query/{id}/result',
      summary: 'Get the columns, size, expiry and shares of a kept result',
      params: queryParams,
      responses: { 200: jsonResponse('The kept result', keptResultBody) },
      problems: VIEW_PROBLEMS,
    },
    deleteResult: {
      endpoint: 'DELETE /query/{id}/result',
      summary: "Delete one of the caller's kept results before it expires",
      params: queryParams,
      responses: { 204: { description: 'The result cannot be read any more' } },
      problems: ['audit_unavailable', 'not_found'],
    },
    shareResult: {
      endpoint: 'PUT /query/{id}/share',
      summary: "Set who may view one of the caller's kept results besides the caller",
      params: queryParams,
      body: jsonBody(resultSharesBody),
      responses: { 200: jsonResponse('The shares as stored', resultSharesBody) },
      problems: ['audit_unavailable', 'not_found'],
    },
    readRows: {
      endpoint: 'GET /query/{id}/rows',
      summary: 'Read rows of a kept result',
      params: queryParams,
      query: keptRowsQuery,
      responses: { 200: jsonResponse('Rows, as in a JSON download', keptRowsBody) },
      problems: VIEW_PROBLEMS,
    },
    resumeEvents: {
      endpoint: 'GET /query/{id}/events',
      summary: 'Continue the stream of a query whose result is or will be kept, after the rows that were received',
      params: queryParams,
      query: resumeQuery,
      responses: {
        200: {
          description: 'Events, as of `POST /query`, each row with its number as `id`',
          mediaType: 'text/event-stream',
          schema: streamEvent,
        },
      },
      problems: [...VIEW_PROBLEMS, 'server_shutdown'],
    },
    downloadResult: {
      endpoint: 'GET /query/{id}/download/{format}',
      summary:
        'Download a kept result, with the bytes of a direct download. `Range` and `If-Range` continue a part of a file',
      params: resultDownloadParams,
      query: resultDownloadQuery,
      streams: true,
      hasEffect: true,
      answersHead: true,
      responses: {
        200: { ...CONTENTS[0], description: 'The file', alternatives: CONTENTS.slice(1) },
        206: { description: 'The part of the file that `Range` asks for' },
        304: { description: 'The file has the entity tag in `If-None-Match`' },
      },
      problems: [
        'audit_unavailable',
        'data_error',
        'engine_crashed',
        'engine_unavailable',
        'gone',
        'not_found',
        'not_supported',
        'precondition_failed',
        'query_cancelled',
        'range_not_satisfiable',
        'resource_limit',
        'storage_unavailable',
        'time_limit',
        'too_many_requests',
      ],
    },
  },
);
