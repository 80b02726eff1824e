import { apiOperations, callerOf } from '@sluice/contract';
import { type Route, route, stream } from '@sluice/http';
import type { ExportAuditLogs } from '../../use-cases/audit/export-audit-logs.ts';

/** POST /audits/logs/export */
export const auditExportRoute = ({ exportAuditLogs }: { readonly exportAuditLogs: ExportAuditLogs }): Route =>
  route(apiOperations.exportAuditLogs, async (request) => {
    const { format, body } = await exportAuditLogs(callerOf(request), request.body);
    const disposition = `attachment; filename=audit.${format.extension}`;
    return stream({
      status: 200,
      mediaType: format.mediaType,
      headers: { 'content-disposition': disposition },
      body,
    });
  });
