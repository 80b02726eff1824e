import { apiOperations, callerOf } from '@sluice/contract';
import { type Route, route, stream } from '@sluice/http';
import type { ExportAuditEvidence } from '../../use-cases/audit/export-audit-evidence.ts';

/** Returns the UTC day of a time in epoch milliseconds. */
const dayOf = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10);

/** GET /audits/evidence */
export const auditEvidenceRoute = ({
  exportAuditEvidence,
}: {
  readonly exportAuditEvidence: ExportAuditEvidence;
}): Route =>
  route(apiOperations.exportAuditEvidence, async (request) => {
    const { query } = request;
    const body = await exportAuditEvidence(callerOf(request), query);
    const disposition = `attachment; filename=evidence-${dayOf(query.start)}-${dayOf(query.end)}.zip`;
    return stream({
      status: 200,
      mediaType: 'application/zip',
      headers: { 'content-disposition': disposition },
      body,
    });
  });
