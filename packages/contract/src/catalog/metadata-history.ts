import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { pageFields } from '../fields/page-query.ts';
import { nonBlankText } from '../fields/text-field.ts';
import { defineOperations, FOR_API, jsonResponse } from '../operations/define-operations.ts';
import { FACT_TYPES } from './metadata.ts';

const ID_CHARACTERS_MAX = 4096;

/** Properties of a table, view or datamap whose earlier values are kept. */
const CHANGED_PROPERTIES = [
  'display_name',
  'description',
  'tags',
  'domains',
  'owner',
  'name',
  'state',
  'priority',
  'sme',
  'sql',
  'parameters',
  'explanation',
  'source_id',
  'limit',
] as const;

const changesQuery = z.strictObject({
  type: z.enum(FACT_TYPES, {
    error: ({ input }) => `type ${input === undefined ? 'is required and ' : ''}must be TABLE, VIEW or DATAMAP`,
  }),
  id: nonBlankText('id', ID_CHARACTERS_MAX).describe(
    'Id of a datamap, or catalog.schema.name of a table or view as in an import',
  ),
  ...pageFields,
});
export type MetadataChangesQuery = z.infer<typeof changesQuery>;

/** A changed value: a text, a list, a number, declared parameters, or nothing. */
const value = z.unknown().describe('Null: without a value');

const recordedChange = z
  .object({
    version: z.int().min(1).describe('Version of the object after the change, as in its ETag'),
    changed_ts: epochMs,
    changed_by: z.string().describe('E-mail of a user or client id of a service account'),
    request_id: z.string().nullable().describe('Request or import of the change, as in its audit record'),
    changes: z.array(
      z.object({
        field: z.string().nullable().describe('The changed field; null for the object itself'),
        property: z.enum(CHANGED_PROPERTIES),
        before: value,
        after: value,
      }),
    ),
  })
  .meta({ id: 'RecordedChange' });
export type RecordedChange = z.infer<typeof recordedChange>;

const changesBody = z
  .object({ total: z.int().min(0), data: z.array(recordedChange).describe('Last change first') })
  .meta({ id: 'RecordedChanges' });

/** Earlier values of the metadata of one object. */
export const metadataHistoryOperations = defineOperations('catalog', FOR_API, {
  listMetadataChanges: {
    endpoint: 'GET /metadata/changes',
    scopeNeeds: ['metadata:write', 'datamap:read'],
    summary:
      'List who changed a table, view or datamap and when, with the values before and after. Needs the right to change it',
    query: changesQuery,
    responses: { 200: jsonResponse('Changes', changesBody) },
    problems: ['access_denied', 'not_found'],
  },
});
