import { z } from 'zod';
import { defineOperations, FOR_ALL, jsonResponse } from '../operations/define-operations.ts';
import { SQL_BYTES_MAX, statementSql } from './query.ts';

/** Drivers send all of their prepared statements as headers with each request. */
const DOOR_HEADER_BYTES_MAX = 64 * 1024;

/** Place of a page: rows before it, and marks of what its client cannot read (`PagePosition` of the stream host). */
const PAGE_POSITION = /^\d{1,15}[a-z]{0,4}$/;

const pageParams = z.strictObject({
  id: z.string(),
  mark: z.string().max(64),
  n: z.string().regex(PAGE_POSITION, 'n must be the last part of a nextUri'),
});

const doorQueryParams = z.strictObject({ id: z.string() });

const pageBody = z
  .looseObject({
    id: z.string(),
    infoUri: z.string(),
    nextUri: z.string().optional().describe('Absent in the last page alone'),
    columns: z.array(z.looseObject({ name: z.string(), type: z.string() })).optional(),
    data: z.array(z.array(z.unknown())).optional(),
    error: z.looseObject({ message: z.string(), errorName: z.string() }).optional(),
    stats: z.looseObject({ state: z.string() }),
    warnings: z.array(z.unknown()),
  })
  .meta({ id: 'TrinoPage' });

const page = jsonResponse('A page of the protocol, with 200 for a failed statement too', pageBody);
const PAGE_PROBLEMS = ['gone', 'not_found', 'server_shutdown', 'storage_unavailable'] as const;

/**
 * The client protocol of Trino. The operations are not those of the other clients: they are served if the deployment turns the door on, and
 * Trino's documentation describes them.
 */
export const doorOperations = defineOperations(
  'queries',
  { ...FOR_ALL, headerBytesMax: DOOR_HEADER_BYTES_MAX, externalLogin: true, basicNeedsTls: true },
  {
    beginStatement: {
      endpoint: 'POST /v1/statement',
      summary: 'Begin a statement of a client of Trino',
      permission: 'query:run',
      body: { schema: statementSql, mediaTypes: ['text/plain'], isText: true, bytesMax: SQL_BYTES_MAX, valuesMax: 1 },
      responses: { 200: page },
      problems: ['audit_unavailable', 'server_shutdown', 'too_many_requests'],
    },
    checkStatements: {
      endpoint: 'GET /v1/statement',
      summary: 'Check the credential of a client of Trino, as drivers do with HEAD',
      permission: 'query:run',
      responses: { 200: jsonResponse('The credential may run statements', z.strictObject({})) },
    },
    readPage: {
      endpoint: 'GET /v1/statement/executing/{id}/{mark}/{n}',
      summary: 'Read a page of a statement. HEAD says that its client still wants it',
      permission: 'query:run',
      params: pageParams,
      responses: { 200: page },
      problems: PAGE_PROBLEMS,
    },
    cancelStatement: {
      endpoint: 'DELETE /v1/statement/executing/{id}/{mark}/{n}',
      summary: 'Cancel a statement by a page of it',
      permission: 'query:run',
      params: pageParams,
      responses: { 204: { description: 'The statement ends' } },
      problems: ['audit_unavailable', 'not_found'],
    },
    describeStatement: {
      endpoint: 'GET /v1/query/{id}',
      summary: "Get the state of one of the caller's statements",
      permission: 'query:run',
      params: doorQueryParams,
      responses: { 200: jsonResponse('The statement', z.looseObject({ queryId: z.string(), state: z.string() })) },
      problems: ['not_found'],
    },
    killStatement: {
      endpoint: 'DELETE /v1/query/{id}',
      summary: "Cancel one of the caller's statements",
      permission: 'query:run',
      params: doorQueryParams,
      responses: { 204: { description: 'The statement ends' } },
      problems: ['audit_unavailable', 'not_found'],
    },
    describeDoor: {
      endpoint: 'GET /v1/info',
      summary: 'Get the version that clients of Trino see',
      credentials: [],
      responses: { 200: jsonResponse('The version', z.looseObject({ starting: z.boolean() })) },
    },
    describeDoorState: {
      endpoint: 'GET /v1/info/state',
      summary: 'Get the state that clients of Trino see',
      credentials: [],
      responses: { 200: jsonResponse('The state', z.enum(['ACTIVE', 'SHUTTING_DOWN'])) },
    },
  },
);
