import { apiOperations } from '@sluice/contract';
import { type Route, route, stream } from '@sluice/http';
import { requestOrigin } from '../../request/request-origin.ts';
import type { createExportAuditLogs } from '../../use-cases/audit/export-audit-logs.ts';

interface AuditExportDependencies {
  readonly exportAuditLogs: ReturnType<typeof createExportAuditLogs>;
}

/** POST /audits/logs/export: all that matches, with its proof. */
export const auditExportRoute = ({ exportAuditLogs }: AuditExportDependencies): Route =>
  route(apiOperations.exportAuditLogs, async ({ principal, body, ...request }) => {
    const { format, body: bytes } = await exportAuditLogs({ principal, origin: requestOrigin(request) }, body);
    const disposition = `attachment; filename=audit.${format.extension}`;
    return stream({
      status: 200,
      mediaType: format.mediaType,
      headers: { 'content-disposition': disposition },
      body: bytes,
    });
  });
