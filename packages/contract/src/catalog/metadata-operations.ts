import { defineOperations, FOR_API } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import {
  IMPORT_BYTES_MAX,
  IMPORT_DETAILS_MAX,
  IMPORT_VALUES_MAX,
  metadataImportBody,
  metadataImportFailure,
  metadataImportResponse,
} from './metadata.ts';

const JSON_TYPE = 'application/json';

export const metadataOperations = defineOperations('catalog', FOR_API, {
  importMetadata: {
    endpoint: 'POST /metadata/import',
    summary: 'Change descriptions, tags, domains and fields of up to 50 tables, views and datamaps',
    body: {
      ...jsonBody(metadataImportBody, { bytesMax: IMPORT_BYTES_MAX, valuesMax: IMPORT_VALUES_MAX }),
      detailsMax: IMPORT_DETAILS_MAX,
    },
    responses: {
      200: { description: 'The result for each object', mediaType: JSON_TYPE, schema: metadataImportResponse },
      403: {
        description: 'The caller may not change any of the objects',
        mediaType: JSON_TYPE,
        schema: metadataImportFailure,
      },
      404: { description: 'None of the objects exists', mediaType: JSON_TYPE, schema: metadataImportFailure },
    },
    problems: ['idempotency_key_reused', 'precondition_failed', 'too_many_requests'],
  },
});
