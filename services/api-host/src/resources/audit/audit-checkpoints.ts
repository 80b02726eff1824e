import { apiOperations, type Caller, callerOf } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { AuditChainStore, AuditStore } from '@sluice/store/audit';
import { auditAccessRecord } from '../../use-cases/audit/audit-access-record.ts';

interface AuditCheckpointsContext {
  readonly auditChain: Pick<AuditChainStore, 'checkpoints' | 'keys'>;
  readonly audit: Pick<AuditStore, 'append'>;
}

/** Query parameters, which the contract has validated as decimal digits. */
interface AuditCheckpointsQuery {
  /** Number of the last checkpoint that the caller has. */
  readonly after?: string | undefined;
  readonly size?: number | undefined;
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** Returns a page of the tenant's signed checkpoints, and the public keys that verify them. */
export async function listAuditCheckpoints(
  { auditChain, audit }: AuditCheckpointsContext,
  caller: Caller,
  { after = '0', size = 100 }: AuditCheckpointsQuery,
) {
  const page = { after: Number(after), size };
  const checkpoints = await auditChain.checkpoints(caller.principal.tenant.id, page);
  const keys = await auditChain.keys();
  const metadata = { ...page, checkpoints: checkpoints.length };
  await audit.append(auditAccessRecord(caller, 'READ_AUDIT_CHECKPOINTS', metadata));
  return {
    data: checkpoints.map(({ payload, keyId, signature }) => ({
      payload,
      key_id: keyId,
      signature: base64(signature),
    })),
    keys: keys.map(({ keyId, publicKey }) => ({ key_id: keyId, public_key: base64(publicKey) })),
  };
}

/** GET /audits/checkpoints */
export const auditCheckpointsRoute = (context: AuditCheckpointsContext): Route =>
  route(apiOperations.listAuditCheckpoints, async (request) =>
    json(200, await listAuditCheckpoints(context, callerOf(request), request.query)),
  );
