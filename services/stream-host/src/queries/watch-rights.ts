import type { RevalidateCaller } from '@sluice/auth';
import type { Caller } from '@sluice/contract';

/** Time after which the rights of a caller who reads a long stream are read again. */
const REVALIDATE_AFTER_MS = 5_000;

/**
 * Returns a check to call often while a caller reads a stream. It resolves to false once the caller may read no kept results any more: the
 * session has ended, the account is disabled, or the permission is gone. An outage of the database does not end the stream.
 */
export function watchRights(
  revalidateCaller: RevalidateCaller,
  { principal, address }: Caller,
  afterMs = REVALIDATE_AFTER_MS,
): () => Promise<boolean> {
  const { tenant, kind: accountKind, id: accountId, sessionId, secretId } = principal;
  const reference = { tenantName: tenant.name, accountKind, accountId, sessionId, secretId };
  let checkedMs = performance.now();
  return async () => {
    if (performance.now() - checkedMs < afterMs) return true;
    checkedMs = performance.now();
    try {
      const present = await revalidateCaller(reference, address);
      if (present === undefined || present.refusedAddress !== undefined) return false;
      return present.tenant.state === 'active' && present.permissions.has('query:run');
    } catch {
      return true;
    }
  };
}
