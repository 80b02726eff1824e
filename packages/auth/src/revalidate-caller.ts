import type { CallerReference, Principal } from '@sluice/contract';
import { principalOf } from './credential-verifier.ts';
import type { CallerStatusReader } from './ports.ts';

/**
 * Returns a caller who authenticated earlier, with present roles and permissions. Returns undefined when the session has ended, the
 * account was disabled, or, for Basic, the password was changed. The principal of a suspended tenant, or with a refused address, is
 * returned.
 */
export type RevalidateCaller = (caller: CallerReference, address: string) => Promise<Principal | undefined>;

export const createRevalidateCaller =
  (authStatus: CallerStatusReader): RevalidateCaller =>
  async (caller, address) => {
    const authenticatedAtMs = performance.now();
    const status = await authStatus.ofCaller(caller);
    const account = status?.account;
    if (status === undefined || account === undefined || account.disabled) return undefined;
    if (!status.sessionLive || status.keyRevoked) return undefined;
    const { sessionId, secretId } = caller;
    return {
      ...principalOf(status.tenant, account, { authenticatedAtMs, address }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(secretId === undefined ? {} : { secretId }),
      ...(status.hasScope === true ? { hasScope: true } : {}),
    };
  };
