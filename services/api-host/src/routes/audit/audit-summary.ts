import { apiOperations, callerOf } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { SummarizeAuditLogs } from '../../use-cases/audit/summarize-audit-logs.ts';

/** GET /audits/summary */
export const auditSummaryRoute = ({ summarizeAuditLogs }: { readonly summarizeAuditLogs: SummarizeAuditLogs }): Route =>
  route(apiOperations.summarizeAuditLogs, async (request) =>
    json(200, await summarizeAuditLogs(callerOf(request), request.query)),
  );
