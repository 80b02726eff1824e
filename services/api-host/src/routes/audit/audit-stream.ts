import { apiOperations, ProblemError } from '@sluice/contract';
import { type Route, route, stream } from '@sluice/http';
import { requestOrigin } from '../../request/request-origin.ts';
import type { createFollowAuditLogs } from '../../use-cases/audit/follow-audit-logs.ts';

interface AuditStreamDependencies {
  readonly followAuditLogs: ReturnType<typeof createFollowAuditLogs>;
}

/** What an event source sends when it comes back (HTML standard, section 9.2.4) is newer than the URL it began with. */
const lastEventOf = (header: string | undefined, after: string | undefined): number | undefined => {
  const text = header ?? after;
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) {
    throw new ProblemError('invalid_request', 'Last-Event-ID must be the id of an event: a sequence number.');
  }
  return Number(text);
};

/** GET /audits/logs/stream: each record as it is sealed. */
export const auditStreamRoute = ({ followAuditLogs }: AuditStreamDependencies): Route =>
  route(apiOperations.streamAuditLogs, async ({ principal, query, headers, signal, ...request }) => {
    const after = lastEventOf(headers.get('last-event-id'), query.after);
    const body = await followAuditLogs({ principal, origin: requestOrigin(request) }, { after, signal });
    return stream({ status: 200, mediaType: 'text/event-stream', body, flushHeaders: true });
  });
