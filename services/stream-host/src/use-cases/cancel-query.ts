import { type Principal, ProblemError, type Receipt } from '@sluice/contract';
import type { AuditStore, QueryStore } from '@sluice/store';
import type { LiveCountsDependencies } from '../queries/live-counts.ts';
import { currentReceipt, isOwn, noSuchQuery } from './find-receipt.ts';

export interface CancelQueryDependencies extends LiveCountsDependencies {
  readonly queries: Pick<QueryStore, 'find' | 'requestCancel'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

export interface CancelRequest {
  readonly principal: Principal;
  readonly queryId: string;
  readonly requestId: string;
  readonly address: string;
  readonly userAgent: string | undefined;
}

/**
 * Stops a query of the caller's own, on whichever host it runs. Answers its receipt as it is now, and whether it was over
 * already. Throws `not_found` for anybody else's.
 */
export async function cancelQuery(
  dependencies: CancelQueryDependencies,
  request: CancelRequest,
): Promise<{ readonly receipt: Receipt; readonly wasOver: boolean }> {
  const { principal, queryId } = request;
  const found = await dependencies.queries.find(principal.tenant.id, queryId);
  if (found === undefined || !isOwn(found, principal)) throw noSuchQuery();
  const receipt = await currentReceipt(found.receipt, dependencies);
  if (receipt.ended_ts !== null) return { receipt, wasOver: true };
  await dependencies.audit.append({
    tenantId: principal.tenant.id,
    user: principal.name,
    action: 'CANCEL_QUERY',
    target: receipt.query_id,
    requestId: request.requestId,
    queryId: receipt.query_id,
    address: request.address,
    ...(principal.sessionId === undefined ? {} : { sessionId: principal.sessionId }),
    ...(request.userAgent === undefined ? {} : { userAgent: request.userAgent }),
  });
  await dependencies.queries.requestCancel(principal.tenant.id, receipt.query_id);
  dependencies.running
    .find(receipt.query_id)
    ?.stop(new ProblemError('query_cancelled', 'The query was cancelled by its caller.'));
  return { receipt, wasOver: false };
}
