import { defineOperations, FOR_API, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import {
  auditCheckpointsBody,
  auditCheckpointsQuery,
  auditEvidenceQuery,
  auditExportBody,
  auditPageBody,
  auditPageQuery,
  auditSearchBody,
  auditStreamEvent,
  auditStreamQuery,
  auditSummaryBody,
  auditSummaryQuery,
} from './audit.ts';

const page = jsonResponse('A page of records', auditPageBody);

/** Audit log. Every read is itself recorded. */
export const auditOperations = defineOperations('audit', FOR_API, {
  searchAuditLogs: {
    endpoint: 'POST /audits/logs/search',
    summary: 'Search the audit log and get the first page',
    permission: 'audit:read',
    body: jsonBody(auditSearchBody),
    responses: { 200: page },
    problems: ['audit_unavailable', 'service_unavailable'],
  },
  nextAuditPage: {
    endpoint: 'GET /audits/logs/search',
    summary: 'Get the next page of a search by its page token',
    permission: 'audit:read',
    query: auditPageQuery,
    responses: { 200: page },
    problems: ['invalid_page_token', 'audit_unavailable', 'service_unavailable'],
    hasEffect: true,
  },
  exportAuditLogs: {
    endpoint: 'POST /audits/logs/export',
    summary: 'Export all matching sealed records with their position in the chain and a signed last line',
    permission: 'audit:read',
    body: jsonBody(auditExportBody),
    streams: true,
    responses: {
      200: {
        description: 'The records in the requested format',
        mediaType: 'application/x-ndjson',
        alternatives: [{ mediaType: 'text/csv' }],
      },
    },
    problems: ['audit_unavailable', 'service_unavailable', 'too_many_requests'],
  },
  exportAuditEvidence: {
    endpoint: 'GET /audits/evidence',
    summary:
      'Download a signed ZIP with the sealed records of a range of time, their checkpoints, and how to verify them',
    permission: 'audit:read',
    query: auditEvidenceQuery,
    streams: true,
    responses: {
      200: {
        description:
          'README.md, audit.ndjson, checkpoints.ndjson, public-keys.json, summary.csv, manifest.json and manifest.sig. A ZIP without a central directory was cut',
        mediaType: 'application/zip',
      },
    },
    problems: ['audit_unavailable', 'service_unavailable', 'too_many_requests'],
    hasEffect: true,
  },
  summarizeAuditLogs: {
    endpoint: 'GET /audits/summary',
    summary: 'Count the records of a range of time by user, by action, or by the tables that queries read',
    permission: 'audit:read',
    query: auditSummaryQuery,
    responses: { 200: jsonResponse('Numbers of records', auditSummaryBody) },
    problems: ['audit_unavailable', 'service_unavailable', 'too_many_requests'],
    hasEffect: true,
  },
  streamAuditLogs: {
    endpoint: 'GET /audits/logs/stream',
    summary: 'Follow the audit log: stream each matching record when it is sealed, from any sequence number',
    permission: 'audit:read',
    query: auditStreamQuery,
    streams: true,
    responses: {
      200: {
        description:
          'Endless events. The id of an event is the sequence number of its record. The stream begins with its position: an id without data',
        mediaType: 'text/event-stream',
        schema: auditStreamEvent,
      },
    },
    problems: ['audit_unavailable', 'service_unavailable', 'too_many_requests'],
    hasEffect: true,
  },
  listAuditCheckpoints: {
    endpoint: 'GET /audits/checkpoints',
    summary: 'List the signed checkpoints of the chain, oldest first, with the public keys that verify them',
    permission: 'audit:read',
    query: auditCheckpointsQuery,
    responses: { 200: jsonResponse('Checkpoints', auditCheckpointsBody) },
    problems: ['audit_unavailable', 'service_unavailable'],
    hasEffect: true,
  },
});
