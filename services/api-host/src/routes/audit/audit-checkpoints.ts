import { apiOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import { requestOrigin } from '../../request/request-origin.ts';
import {
  type ListAuditCheckpointsDependencies,
  listAuditCheckpoints,
} from '../../use-cases/audit/list-audit-checkpoints.ts';

/** GET /audits/checkpoints: what a tenant keeps elsewhere to hold us to. */
export const auditCheckpointsRoute = (dependencies: ListAuditCheckpointsDependencies): Route =>
  route(apiOperations.listAuditCheckpoints, async ({ principal, query, ...request }) => {
    const page = {
      ...(query.after === undefined ? {} : { after: Number(query.after) }),
      ...(query.size === undefined ? {} : { size: Number(query.size) }),
    };
    return json(200, await listAuditCheckpoints(dependencies, { principal, origin: requestOrigin(request) }, page));
  });
