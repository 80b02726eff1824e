import { createOpaqueToken, DEVICE_LIFETIME_MS, hashOpaqueToken } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import type { DeviceStore } from '@sluice/store/identity';

export interface DeviceLoginInput {
  readonly tenantId: string;
  readonly userId: string;
  /** The device cookie that the browser sent. */
  readonly sent: string | undefined;
}

/**
 * Returns the device cookie of a browser that has just logged in, or undefined when it cannot be stored: the login itself has succeeded by
 * then. A cookie of another account is not taken over, because another person may know it.
 */
export type RememberDevice = (login: DeviceLoginInput) => Promise<string | undefined>;

export const createRememberDevice =
  (devices: Pick<DeviceStore, 'remember'>): RememberDevice =>
  async ({ tenantId, userId, sent }) => {
    const created = createOpaqueToken();
    try {
      const sentHash = sent === undefined ? undefined : hashOpaqueToken(sent);
      const hashes = { sentHash, newHash: hashOpaqueToken(created) };
      const remembered = await devices.remember({ tenantId, userId, ...hashes, lifetimeMs: DEVICE_LIFETIME_MS });
      return remembered === 'sent' ? sent : created;
    } catch (thrown) {
      if (thrown instanceof ProblemError) return undefined;
      throw thrown;
    }
  };
