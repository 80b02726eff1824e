import { createOpaqueToken, DEVICE_LIFETIME_MS, hashOpaqueToken } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import type { DeviceStore } from '@sluice/store/identity';

interface DeviceLogin {
  readonly tenantId: string;
  readonly userId: string;
  /** Device cookie that the browser sent. */
  readonly sent: string | undefined;
}

/**
 * Stores the device of a login and returns its cookie; undefined if it cannot be stored, because the login itself has succeeded. A
 * cookie of another account is replaced, because another person may know it.
 */
export type RememberDevice = (login: DeviceLogin) => Promise<string | undefined>;

interface RememberDeviceDependencies {
  readonly devices: Pick<DeviceStore, 'remember'>;
}

export const createRememberDevice =
  ({ devices }: RememberDeviceDependencies): RememberDevice =>
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
