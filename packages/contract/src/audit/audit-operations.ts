import { jsonBody, type Operation } from '../operations/operation.ts';
import {
  auditCheckpointsBody,
  auditCheckpointsQuery,
  auditExportBody,
  auditPageBody,
  auditPageQuery,
  auditSearchBody,
  auditStreamEvent,
  auditStreamQuery,
} from './audit.ts';

const page = { description: 'A page of records', mediaType: 'application/json', schema: auditPageBody };

/** The audit log. Reading it is itself recorded. */
export const auditOperations = {
  searchAuditLogs: {
    id: 'searchAuditLogs',
    method: 'POST',
    path: '/audits/logs/search',
    summary: 'Search the audit log: the first page',
    credentials: ['idtoken'],
    permission: 'audit:read',
    body: jsonBody(auditSearchBody),
    answers: { 200: page },
    problems: ['audit_unavailable', 'service_unavailable'],
  },
  nextAuditPage: {
    id: 'nextAuditPage',
    method: 'GET',
    path: '/audits/logs/search',
    summary: 'The next page of a search, by the token that the page before gave',
    credentials: ['idtoken'],
    permission: 'audit:read',
    query: auditPageQuery,
    answers: { 200: page },
    problems: ['invalid_page_token', 'audit_unavailable', 'service_unavailable'],
    hasEffect: true,
  },
  exportAuditLogs: {
    id: 'exportAuditLogs',
    method: 'POST',
    path: '/audits/logs/export',
    summary: 'Every sealed record that matches, with its place in the chain, and a signed last line',
    credentials: ['idtoken'],
    permission: 'audit:read',
    body: jsonBody(auditExportBody),
    streams: true,
    answers: {
      200: {
        description: 'The records, by `format`',
        mediaType: 'application/x-ndjson',
        alternatives: [{ mediaType: 'text/csv' }],
      },
    },
    problems: ['audit_unavailable', 'service_unavailable', 'too_many_requests'],
  },
  streamAuditLogs: {
    id: 'streamAuditLogs',
    method: 'GET',
    path: '/audits/logs/stream',
    summary: 'Follow the audit log: each record as it is sealed, from any sequence on',
    credentials: ['idtoken'],
    permission: 'audit:read',
    query: auditStreamQuery,
    streams: true,
    answers: {
      200: {
        description: 'Events without an end; the id of each is the sequence of its record',
        mediaType: 'text/event-stream',
        schema: auditStreamEvent,
      },
    },
    problems: ['audit_unavailable', 'service_unavailable', 'too_many_requests'],
    hasEffect: true,
  },
  listAuditCheckpoints: {
    id: 'listAuditCheckpoints',
    method: 'GET',
    path: '/audits/checkpoints',
    summary: 'Signed checkpoints of the chain, oldest first, and the public keys that verify them',
    credentials: ['idtoken'],
    permission: 'audit:read',
    query: auditCheckpointsQuery,
    answers: { 200: { description: 'Checkpoints', mediaType: 'application/json', schema: auditCheckpointsBody } },
    problems: ['audit_unavailable', 'service_unavailable'],
    hasEffect: true,
  },
} as const satisfies Record<string, Operation>;
