import { defineOperations, FOR_ALL } from '../operations/define-operations.ts';
import type { OperationContent } from '../operations/operation.ts';
import { STATEMENT_PROBLEMS } from '../problems/problem.ts';
import { type DownloadFormat, downloadFormats } from '../queries/download-formats.ts';
import { failedResultSetBody } from '../queries/query.ts';
import { datamapDownloadParams, datamapDownloadQuery } from './datamap-download.ts';

const contentOf = ({ mediaType, schema }: DownloadFormat): OperationContent =>
  schema === undefined ? { mediaType } : { mediaType, schema };

/** Every media type that a download can have. */
const CONTENTS = downloadFormats.map(([, format]) => contentOf(format));

export const datamapDownloadOperations = defineOperations('datamaps', FOR_ALL, {
  getDatamapFile: {
    endpoint: 'GET /datamap/{id}/download/{format}',
    summary: "Run a published datamap with the caller's rights and download its result. Needs `datamap:read` too",
    permission: 'query:run',
    params: datamapDownloadParams,
    query: datamapDownloadQuery,
    streams: true,
    isLink: true,
    responses: { 200: { ...CONTENTS[0], description: 'The file', alternatives: CONTENTS.slice(1) } },
    failedStatement: failedResultSetBody,
    problems: ['not_found', 'conflict', ...STATEMENT_PROBLEMS, 'too_many_requests'],
  },
});
