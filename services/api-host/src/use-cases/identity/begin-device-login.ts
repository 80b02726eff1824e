import {
  addressPrefix,
  createOpaqueToken,
  createUserCode,
  formatUserCode,
  hashOpaqueToken,
  hashUserCode,
  type TokenTargets,
} from '@sluice/auth';
import type { DeviceAuthorizationResponse, Scope, Throttles } from '@sluice/contract';
import type { DeviceAuthorizationStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';

/** Enough to find a browser and log in there. */
const DEVICE_LIFETIME_MS = 600_000;
const WAIT_SECONDS = 5;

export interface BeginDeviceLoginInput {
  readonly oauthClient: string;
  readonly scope: Scope;
  readonly targets: TokenTargets;
  /** Address of the page on which the user types the code. */
  readonly verificationUri: string;
}

/** Begins the login of a device, which a user approves in a browser elsewhere (RFC 8628 section 3.1). */
type BeginDeviceLogin = (caller: AnonymousCaller, input: BeginDeviceLoginInput) => Promise<DeviceAuthorizationResponse>;

interface BeginDeviceLoginDependencies {
  readonly devices: Pick<DeviceAuthorizationStore, 'begin'>;
  readonly throttles: Pick<Throttles, 'hashKey'>;
}

export const createBeginDeviceLogin =
  ({ devices, throttles }: BeginDeviceLoginDependencies): BeginDeviceLogin =>
  async ({ tenant, origin }, { oauthClient, scope, targets, verificationUri }) => {
    const deviceCode = createOpaqueToken();
    const userCode = createUserCode();
    await devices.begin({
      tenantId: tenant.id,
      deviceHash: hashOpaqueToken(deviceCode),
      userCodeHash: hashUserCode(await throttles.hashKey(), userCode),
      oauthClient,
      scope,
      targets,
      address: addressPrefix(origin.address),
      lifetimeMs: DEVICE_LIFETIME_MS,
      waitSeconds: WAIT_SECONDS,
    });
    const shown = formatUserCode(userCode);
    return {
      device_code: deviceCode,
      user_code: shown,
      verification_uri: verificationUri,
      verification_uri_complete: `${verificationUri}?${new URLSearchParams({ user_code: shown })}`,
      expires_in: DEVICE_LIFETIME_MS / 1000,
      interval: WAIT_SECONDS,
    };
  };
