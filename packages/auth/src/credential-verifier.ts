import { type CredentialKind, type Principal, ProblemError, type Tenant } from '@sluice/contract';
import { includesAddress } from './allowed-networks.ts';
import { type Credential, unauthorized } from './credential.ts';
import type { AccountStatus, AuthStatusReader, RequestOrigin } from './ports.ts';
import type { SecretVerifier } from './secret-verifier.ts';
import type { TokenVerifier } from './token-verifier.ts';

interface CredentialContext {
  readonly accepted: readonly CredentialKind[];
  /** Tenant of the host name or path. A credential of another tenant returns 401. */
  readonly tenant: Tenant | undefined;
  readonly origin: RequestOrigin;
  readonly deviceCookie?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CredentialVerifier {
  /** Throws `unauthorized`, `too_many_requests` or `service_unavailable`. */
  verify(credential: Credential, context: CredentialContext): Promise<Principal>;
}

interface CredentialVerifierOptions {
  readonly tokens: TokenVerifier;
  readonly authStatus: Pick<AuthStatusReader, 'ofSession'>;
  readonly secrets: SecretVerifier;
  /** Tenant of Basic credentials if neither the host name nor the path names one. */
  readonly tenantNameDefault: string | undefined;
}

interface PrincipalOrigin {
  readonly authenticatedAtMs: number;
  /** Address of the request. */
  readonly address: string;
}

/** Returns the caller with the roles and permissions that the store has now. */
export const principalOf = (
  tenant: Tenant,
  account: AccountStatus,
  { authenticatedAtMs, address }: PrincipalOrigin,
): Principal => ({
  tenant,
  authenticatedAtMs,
  kind: account.kind,
  id: account.id,
  name: account.name,
  roles: account.roles,
  permissions: new Set(account.permissions),
  ...(includesAddress(account.allowedNetworks, address) ? {} : { refusedAddress: address }),
});

const ended = (): ProblemError =>
  new ProblemError('unauthorized', 'The session of this token has ended. Log in again.');

export function createCredentialVerifier(options: CredentialVerifierOptions): CredentialVerifier {
  const { tokens, authStatus, secrets } = options;

  const verifyToken = async (credential: Extract<Credential, { token: string }>, context: CredentialContext) => {
    const token = await tokens.verify(credential.token, credential.kind === 'idtoken' ? 'id' : 'access');
    if (context.tenant !== undefined && context.tenant.name !== token.tenantName) {
      throw new ProblemError('unauthorized', 'The token belongs to another tenant than this address.');
    }
    const authenticatedAtMs = performance.now();
    const status = await authStatus.ofSession(token);
    const account = status?.account;
    if (status === undefined || account === undefined || account.disabled) throw ended();
    if (!status.sessionLive || status.keyRevoked) throw ended();
    const origin = { authenticatedAtMs, address: context.origin.address };
    return {
      ...principalOf(status.tenant, account, origin),
      sessionId: token.sessionId,
      ...(status.hasScope === true ? { hasScope: true } : {}),
    };
  };

  const verifyBasic = async (credential: Extract<Credential, { kind: 'basic' }>, context: CredentialContext) => {
    const tenantName = context.tenant?.name ?? options.tenantNameDefault;
    if (tenantName === undefined) {
      throw unauthorized(context.accepted, 'This address names no tenant, which Basic needs.');
    }
    const { name, secret } = credential;
    const authenticatedAtMs = performance.now();
    const { tenant, account, secretId } = await secrets.verify({
      tenantName,
      method: 'basic',
      name,
      secret,
      origin: context.origin,
      deviceCookie: context.deviceCookie,
      signal: context.signal,
    });
    const origin = { authenticatedAtMs, address: context.origin.address };
    return { ...principalOf(tenant, account, origin), secretId };
  };

  return {
    verify: (credential, context) =>
      credential.kind === 'basic' ? verifyBasic(credential, context) : verifyToken(credential, context),
  };
}
