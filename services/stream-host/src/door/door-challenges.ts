import { createExternalLogins, issuerOf, type ValueSeal } from '@sluice/auth';
import { describeUserAgent } from '@sluice/contract';
import type { BeginExternalLogin } from '@sluice/http';
import type { StreamHostSettings } from '../config.ts';

interface DoorChallengesDependencies {
  readonly settings: Pick<StreamHostSettings, 'issuerTemplate' | 'tenantNameDefault'>;
  /** Seal with the key that both hosts have. */
  readonly seal: () => Promise<ValueSeal>;
}

/**
 * Creates what begins the login of a Trino client that has no credential: `externalAuthentication` of the JDBC driver, `--external-authentication`
 * of the command line, `OAuth2Authentication` in Python. Nothing is stored: a user decides on a page of the API host, which is the origin of
 * the issuer, and the driver polls there.
 */
export function createDoorChallenges({ settings, seal }: DoorChallengesDependencies): BeginExternalLogin {
  const logins = createExternalLogins({ seal });
  return async ({ tenantName = settings.tenantNameDefault, address, userAgent, source }) => {
    if (tenantName === undefined) return undefined;
    const program = source ?? describeUserAgent(userAgent ?? null).name ?? '';
    const { secret, login } = await logins.begin(tenantName, { address, program });
    const page = `${new URL(issuerOf(settings, tenantName)).origin}/auth/external/${tenantName}`;
    return { redirectUrl: `${page}?login=${login}`, tokenUrl: `${page}/token?secret=${secret}` };
  };
}
