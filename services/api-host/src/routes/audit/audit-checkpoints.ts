import { apiOperations, callerOf } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { ListAuditCheckpoints } from '../../use-cases/audit/list-audit-checkpoints.ts';

interface AuditCheckpointsDependencies {
  readonly listAuditCheckpoints: ListAuditCheckpoints;
}

/** GET /audits/checkpoints */
export const auditCheckpointsRoute = ({ listAuditCheckpoints }: AuditCheckpointsDependencies): Route =>
  route(apiOperations.listAuditCheckpoints, async (request) => {
    const { after, size } = request.query;
    const page = {
      ...(after === undefined ? {} : { after: Number(after) }),
      ...(size === undefined ? {} : { size: Number(size) }),
    };
    return json(200, await listAuditCheckpoints(callerOf(request), page));
  });
