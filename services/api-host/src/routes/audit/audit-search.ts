import { apiOperations } from '@sluice/contract';
import { bytes, type Route, route } from '@sluice/http';
import { requestOrigin } from '../../request/request-origin.ts';
import type { SearchAuditLogs } from '../../use-cases/audit/search-audit-logs.ts';

interface AuditSearchDependencies {
  readonly searchAuditLogs: SearchAuditLogs;
}

const page = (body: Buffer) => bytes(200, 'application/json', body);

/** POST /audits/logs/search: the first page. */
export const auditSearchRoute = ({ searchAuditLogs }: AuditSearchDependencies): Route =>
  route(apiOperations.searchAuditLogs, async ({ principal, body, ...request }) =>
    page(await searchAuditLogs.first({ principal, origin: requestOrigin(request) }, body)),
  );

/** GET /audits/logs/search: a next page. */
export const auditPageRoute = ({ searchAuditLogs }: AuditSearchDependencies): Route =>
  route(apiOperations.nextAuditPage, async ({ principal, query, ...request }) =>
    page(await searchAuditLogs.next({ principal, origin: requestOrigin(request) }, query.page_token)),
  );
