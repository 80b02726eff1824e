import { API_CREDENTIALS, jsonBody, type Operation } from '../operations/operation.ts';
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
const JSON_TYPE = 'application/json';
const record = (description: string) => ({ description, mediaType: JSON_TYPE, schema: datamapRecord });

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
  subject: 'datamaps',
  method: 'POST',
  credentials: API_CREDENTIALS,
  permission: 'datamap:write',
  params: datamapParams,
  problems: ['not_found', 'access_denied', 'conflict', 'precondition_failed'],
} as const;

export const datamapOperations = {
  searchDatamaps: {
    id: 'searchDatamaps',
    subject: 'datamaps',
    method: 'POST',
    path: '/datamap/search',
    summary: 'Search datamaps, tables and views',
    credentials: API_CREDENTIALS,
    permission: 'datamap:read',
    body: jsonBody(datamapSearchBody),
    responses: {
      200: { description: 'A page of results', mediaType: JSON_TYPE, schema: datamapSearchResponse },
    },
    problems: [],
  },
  createDatamap: {
    id: 'createDatamap',
    subject: 'datamaps',
    method: 'POST',
    path: '/datamap',
    summary: 'Create a datamap. The engine describes its SQL first',
    credentials: API_CREDENTIALS,
    permission: 'datamap:write',
    body: { ...jsonBody(createDatamapBody, DATAMAP_BODY), exactNumbersIn: 'parameters' },
    responses: { 201: record('The new datamap, in the state DRAFT') },
    problems: SQL_PROBLEMS,
  },
  getDatamap: {
    id: 'getDatamap',
    subject: 'datamaps',
    method: 'GET',
    path: '/datamap/{id}',
    summary: 'Get a datamap and count a view',
    credentials: API_CREDENTIALS,
    permission: 'datamap:read',
    params: datamapParams,
    responses: { 200: record('The datamap') },
    problems: ['not_found'],
    hasEffect: true,
  },
  updateDatamap: {
    id: 'updateDatamap',
    subject: 'datamaps',
    method: 'PUT',
    path: '/datamap/{id}',
    summary: 'Change a datamap. Absent fields keep their value; If-Match prevents lost updates',
    credentials: API_CREDENTIALS,
    permission: 'datamap:write',
    params: datamapParams,
    body: { ...jsonBody(updateDatamapBody, DATAMAP_BODY), exactNumbersIn: 'parameters' },
    responses: { 200: record('The changed datamap') },
    problems: [...change.problems, ...SQL_PROBLEMS],
  },
  deleteDatamap: {
    ...change,
    id: 'deleteDatamap',
    subject: 'datamaps',
    method: 'DELETE',
    path: '/datamap/{id}',
    summary: 'Delete a datamap in the state DRAFT or ARCHIVED',
    responses: { 204: { description: 'Deleted' } },
  },
  publishDatamap: {
    ...change,
    id: 'publishDatamap',
    path: '/datamap/{id}/publish',
    summary: 'Publish a datamap to all users of the tenant',
    responses: { 200: record('The datamap, in the state PUBLISHED') },
  },
  unpublishDatamap: {
    ...change,
    id: 'unpublishDatamap',
    path: '/datamap/{id}/unpublish',
    summary: 'Unpublish a datamap',
    responses: { 200: record('The datamap, in the state IN_PROGRESS') },
  },
  archiveDatamap: {
    ...change,
    id: 'archiveDatamap',
    path: '/datamap/{id}/archive',
    summary: 'Archive a datamap',
    responses: { 200: record('The datamap, in the state ARCHIVED') },
  },
  setDatamapActivity: {
    id: 'setDatamapActivity',
    subject: 'datamaps',
    method: 'PUT',
    path: '/datamap/{id}/activity',
    summary: "Set the caller's own favourite, rating and vote",
    credentials: API_CREDENTIALS,
    permission: 'datamap:read',
    params: datamapParams,
    body: jsonBody(datamapActivityBody),
    responses: { 200: record('The datamap, with the new user_activity') },
    problems: ['not_found'],
  },
} as const satisfies Record<string, Operation>;
