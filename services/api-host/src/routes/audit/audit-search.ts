import { apiOperations, callerOf } from '@sluice/contract';
import { bytes, type Route, route } from '@sluice/http';
import type { NextAuditPage } from '../../use-cases/audit/next-audit-page.ts';
import type { SearchAuditLogs } from '../../use-cases/audit/search-audit-logs.ts';

const page = (body: Buffer) => bytes(200, 'application/json', body);

/** POST /audits/logs/search */
export const auditSearchRoute = ({ searchAuditLogs }: { readonly searchAuditLogs: SearchAuditLogs }): Route =>
  route(apiOperations.searchAuditLogs, async (request) => page(await searchAuditLogs(callerOf(request), request.body)));

/** GET /audits/logs/search */
export const auditPageRoute = ({ nextAuditPage }: { readonly nextAuditPage: NextAuditPage }): Route =>
  route(apiOperations.nextAuditPage, async (request) =>
    page(await nextAuditPage(callerOf(request), request.query.page_token)),
  );
