import { defineOperations, FOR_API } from '../operations/define-operations.ts';
import { metadataObjectsFile } from './metadata.ts';
import {
  metadataExportQuery,
  metadataFileQuery,
  metadataImportParams,
  metadataImportStatus,
  metadataReportQuery,
} from './metadata-file.ts';
import { FILE_BYTES_MAX, FILE_OBJECTS_MAX } from './metadata-files/file-format.ts';

const JSON_TYPE = 'application/json';
const status = { mediaType: JSON_TYPE, schema: metadataImportStatus };

/** Metadata in files: export, and imports that a job applies. */
export const metadataFileOperations = defineOperations('catalog', FOR_API, {
  exportMetadata: {
    endpoint: 'GET /metadata/export',
    summary: 'Export descriptions, tags, domains and fields in a form that an import accepts',
    permission: 'datamap:read',
    query: metadataExportQuery,
    streams: true,
    responses: {
      200: {
        description:
          'Objects that the caller may see. A file that was cut ends without `]}`, or with a failed transfer',
        mediaType: JSON_TYPE,
        schema: metadataObjectsFile,
        alternatives: [{ mediaType: 'text/csv' }, { mediaType: 'application/x-ndjson' }],
      },
    },
    problems: ['audit_unavailable', 'service_unavailable'],
    hasEffect: true,
  },
  startMetadataImport: {
    endpoint: 'POST /metadata/imports',
    scopeNeeds: ['metadata:write', 'datamap:write'],
    summary: `Import a file of up to ${FILE_OBJECTS_MAX.toLocaleString('en-US')} tables, views and datamaps in the background`,
    query: metadataFileQuery,
    upload: {
      bytesMax: FILE_BYTES_MAX,
      contents: {
        'text/csv': undefined,
        'application/x-ndjson': undefined,
        'application/json': metadataObjectsFile,
        'application/yaml': undefined,
      },
    },
    responses: { 202: { description: 'The file is readable, stored and queued', ...status } },
    problems: ['payload_too_large', 'too_many_requests', 'audit_unavailable', 'service_unavailable'],
  },
  readMetadataImport: {
    endpoint: 'GET /metadata/imports/{id}',
    scopeNeeds: ['metadata:write', 'datamap:write'],
    summary: 'Get the state, progress and counts of an import',
    params: metadataImportParams,
    responses: { 200: { description: 'The import', ...status } },
    problems: ['not_found', 'service_unavailable'],
  },
  cancelMetadataImport: {
    endpoint: 'DELETE /metadata/imports/{id}',
    scopeNeeds: ['metadata:write', 'datamap:write'],
    summary: 'Cancel an import after the batch in progress. Applied batches stay applied',
    params: metadataImportParams,
    responses: {
      200: { description: 'The import had ended before', ...status },
      202: { description: 'The import is cancelled: no further batch is applied', ...status },
    },
    problems: ['not_found', 'audit_unavailable', 'service_unavailable'],
  },
  readMetadataReport: {
    endpoint: 'GET /metadata/imports/{id}/report',
    scopeNeeds: ['metadata:write', 'datamap:write'],
    summary: 'Get the result for each object of an import that has ended, in a form that can be corrected and imported',
    params: metadataImportParams,
    query: metadataReportQuery,
    streams: true,
    responses: {
      200: {
        description: 'The objects with `line`, `success`, `error_message` and, in a dry run, `changes`',
        mediaType: JSON_TYPE,
        alternatives: [{ mediaType: 'text/csv' }, { mediaType: 'application/x-ndjson' }],
      },
    },
    problems: ['not_found', 'conflict', 'audit_unavailable', 'service_unavailable'],
    hasEffect: true,
  },
});
