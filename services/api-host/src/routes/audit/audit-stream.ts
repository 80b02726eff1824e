import { apiOperations, callerOf, ProblemError } from '@sluice/contract';
import { type Route, route, stream } from '@sluice/http';
import type { FollowAuditLogs } from '../../use-cases/audit/follow-audit-logs.ts';

/**
 * Returns the last sequence that the caller knows. A reconnecting event source repeats its first URL, so its header is newer (HTML standard,
 * section 9.2.4).
 */
const lastSequenceOf = (header: string | undefined, after: string | undefined): number | undefined => {
  const text = header ?? after;
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) {
    throw new ProblemError('invalid_request', 'Last-Event-ID must be the id of an event: a sequence number.');
  }
  return Number(text);
};

/** GET /audits/logs/stream */
export const auditStreamRoute = ({ followAuditLogs }: { readonly followAuditLogs: FollowAuditLogs }): Route =>
  route(apiOperations.streamAuditLogs, async (request) => {
    const { headers, signal } = request;
    const { after: known, ...options } = request.query;
    const after = lastSequenceOf(headers.get('last-event-id'), known);
    const body = await followAuditLogs(callerOf(request), { after, options, signal });
    return stream({ status: 200, mediaType: 'text/event-stream', body, flushHeaders: true });
  });
