import { defineOperations, FOR_ALL, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody, type OperationContent, STATEMENT_BODY_LIMITS } from '../operations/operation.ts';
import { STATEMENT_PROBLEMS } from '../problems/problem.ts';
import { downloadFormats } from './download-formats.ts';
import { failedResultSetBody } from './query.ts';
import { createdTicket, ticketBody, ticketParams } from './ticket.ts';

const ZIP: OperationContent = { mediaType: 'application/zip' };
const CONTENTS: readonly OperationContent[] = downloadFormats.map(([, { mediaType, schema }]) =>
  schema === undefined ? { mediaType } : { mediaType, schema },
);

/** Downloads that a program without credentials fetches, such as a browser that saves a file. */
export const ticketOperations = defineOperations('queries', FOR_ALL, {
  createTicket: {
    endpoint: 'POST /tickets',
    summary: 'Get an address that starts one download without a credential. Needs the permission of that download',
    body: { ...jsonBody(ticketBody, STATEMENT_BODY_LIMITS), exactNumbersIn: 'parameters' },
    responses: { 201: jsonResponse('The ticket', createdTicket) },
    problems: ['not_found', 'conflict', 'not_supported', 'audit_unavailable', 'too_many_requests'],
  },
  useTicket: {
    endpoint: 'GET /tickets/{id}',
    summary: "Run the download of a ticket once, with its creator's present rights",
    credentials: [],
    params: ticketParams,
    streams: true,
    hasEffect: true,
    answersHead: true,
    responses: { 200: { ...CONTENTS[0], description: 'The file', alternatives: [...CONTENTS.slice(1), ZIP] } },
    failedStatement: failedResultSetBody,
    problems: ['not_found', 'access_denied', 'conflict', ...STATEMENT_PROBLEMS, 'too_many_requests'],
  },
});
