import { z } from 'zod';
import { defineOperations, FOR_ALL } from '../operations/define-operations.ts';
import type { OperationContent } from '../operations/operation.ts';
import { STATEMENT_PROBLEMS } from '../problems/problem.ts';
import { type DownloadFormat, type DownloadFormatName, downloadFormats } from '../queries/download-formats.ts';
import { linkQuery } from '../queries/link-parameters.ts';
import { failedResultSetBody } from '../queries/query.ts';

const names = downloadFormats.map(([name]) => name) as [DownloadFormatName, ...DownloadFormatName[]];

const datamapDownloadParams = z.strictObject({
  id: z.string(),
  format: z.enum(names, { error: `format must be one of ${names.join(', ')}` }),
});

const datamapDownloadQuery = linkQuery({});

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
