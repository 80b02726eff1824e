import { defineOperations, FOR_API, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import {
  createDatamapBody,
  datamapActivityBody,
  datamapParams,
  datamapSearchBody,
  datamapSearchResponse,
  updateDatamapBody,
} from './datamap.ts';
import { datamapRecord } from './datamap-record.ts';

/** 100 parameters with 1,000 allowed values each. */
const DATAMAP_BODY = { valuesMax: 110_000 };
const record = (description: string) => jsonResponse(description, datamapRecord);

/** Failures of the engine when it describes the SQL before it is saved. */
const SQL_PROBLEMS = [
  'access_denied',
  'syntax_error',
  'read_only',
  'table_not_found',
  'column_not_found',
  'function_not_found',
  'semantic_error',
  'type_error',
  'not_supported',
  'resource_limit',
  'permission_denied',
  'time_limit',
  'engine_unavailable',
  'audit_unavailable',
  'engine_crashed',
  'too_many_requests',
] as const;

const change = {
  permission: 'datamap:write',
  params: datamapParams,
  problems: ['not_found', 'access_denied', 'conflict', 'precondition_failed'],
} as const;

export const datamapOperations = defineOperations('datamaps', FOR_API, {
  searchDatamaps: {
    endpoint: 'POST /datamap/search',
    summary: 'Search datamaps, tables and views',
    permission: 'datamap:read',
    body: jsonBody(datamapSearchBody),
    responses: {
      200: jsonResponse('A page of results', datamapSearchResponse),
    },
  },
  createDatamap: {
    endpoint: 'POST /datamap',
    summary: 'Create a datamap. The engine describes its SQL first',
    permission: 'datamap:write',
    body: { ...jsonBody(createDatamapBody, DATAMAP_BODY), exactNumbersIn: 'parameters' },
    responses: { 201: record('The new datamap, in the state DRAFT') },
    problems: SQL_PROBLEMS,
  },
  getDatamap: {
    endpoint: 'GET /datamap/{id}',
    summary: 'Get a datamap and count a view',
    permission: 'datamap:read',
    params: datamapParams,
    responses: { 200: record('The datamap') },
    problems: ['not_found'],
    hasEffect: true,
  },
  updateDatamap: {
    endpoint: 'PUT /datamap/{id}',
    summary: 'Change a datamap. Absent fields keep their value; If-Match prevents lost updates',
    permission: 'datamap:write',
    params: datamapParams,
    body: { ...jsonBody(updateDatamapBody, DATAMAP_BODY), exactNumbersIn: 'parameters' },
    responses: { 200: record('The changed datamap') },
    problems: [...change.problems, ...SQL_PROBLEMS],
  },
  deleteDatamap: {
    ...change,
    endpoint: 'DELETE /datamap/{id}',
    summary: 'Delete a datamap in the state DRAFT or ARCHIVED',
    responses: { 204: { description: 'Deleted' } },
  },
  publishDatamap: {
    ...change,
    endpoint: 'POST /datamap/{id}/publish',
    summary: 'Publish a datamap to all users of the tenant',
    responses: { 200: record('The datamap, in the state PUBLISHED') },
  },
  unpublishDatamap: {
    ...change,
    endpoint: 'POST /datamap/{id}/unpublish',
    summary: 'Unpublish a datamap',
    responses: { 200: record('The datamap, in the state IN_PROGRESS') },
  },
  archiveDatamap: {
    ...change,
    endpoint: 'POST /datamap/{id}/archive',
    summary: 'Archive a datamap',
    responses: { 200: record('The datamap, in the state ARCHIVED') },
  },
  setDatamapActivity: {
    endpoint: 'PUT /datamap/{id}/activity',
    summary: "Set the caller's own favourite, rating and vote",
    permission: 'datamap:read',
    params: datamapParams,
    body: jsonBody(datamapActivityBody),
    responses: { 200: record('The datamap, with the new user_activity') },
    problems: ['not_found'],
  },
});
