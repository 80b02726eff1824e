import { randomUUID } from 'node:crypto';
import {
  type AuthStatusReader,
  createOpaqueToken,
  hashOpaqueToken,
  isTokenTarget,
  isWithinScope,
  type OAuthClient,
  requireGranted,
  type TokenSigner,
  type TokenTargets,
} from '@sluice/auth';
import { type GrantedTokens, isScopeValue, narrowPermissions, ProblemError, type Tenant } from '@sluice/contract';
import type { NewSession } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import { grantedScope, grantedTokens } from './granted-tokens.ts';
import { loginDevice } from './login-device.ts';
import { sessionRecord } from './session-subject.ts';

/** Consent of a user to the login of a program. */
export interface Approval {
  readonly accountId: string;
  /** Session of the browser in which the user consented. */
  readonly approvedIn: string;
  readonly scope: readonly string[] | null;
  readonly targets: readonly string[] | null;
  readonly nonce?: string | null;
  /** Time of the login in that session. */
  readonly authenticated: Date;
  /** End of that session. */
  readonly sessionExpires: Date;
}

interface ProgramLogin {
  readonly approval: Approval;
  readonly client: OAuthClient;
  /** Hosts that the access token of the response is for. Default: those of the approval. */
  readonly targets: TokenTargets;
  /** A session by `external_login` has no refresh token: drivers of Trino cannot use one. */
  readonly method: 'authorization_code' | 'device_code' | 'external_login';
}

/** Session to be stored, and the tokens that are returned once it is. */
export interface ProgramSession {
  readonly session: NewSession;
  readonly tokens: GrantedTokens;
  readonly user: string;
}

/**
 * Prepares the session of a program that a user let log in. It ends no later than that of the browser: a user who has lost the account at
 * the identity provider would otherwise keep access. Throws `invalid_grant` if the browser has logged out since, or the program can no longer
 * get the scope, and `invalid_target`.
 */
export type PrepareProgramSession = (caller: AnonymousCaller, login: ProgramLogin) => Promise<ProgramSession>;

interface PrepareProgramSessionDependencies {
  readonly authStatus: Pick<AuthStatusReader, 'ofSession'>;
  readonly signer: TokenSigner;
  readonly sessionsMax: number;
}

const isOver = (): ProblemError =>
  new ProblemError('invalid_grant', 'The session in which the user consented is over. Log in again.');

const isBeyondClient = (): ProblemError =>
  new ProblemError('invalid_grant', 'The scopes of the program were changed. Log in again.');

export function createPrepareProgramSession(dependencies: PrepareProgramSessionDependencies): PrepareProgramSession {
  const { authStatus, signer, sessionsMax } = dependencies;

  const findAccount = async (tenant: Tenant, { approvedIn, accountId }: Approval) => {
    const reference = { tenantName: tenant.name, sessionId: approvedIn, accountId, keyId: '' };
    const status = await authStatus.ofSession(reference);
    const account = status?.account;
    if (account === undefined || account.disabled || !status?.sessionLive) throw isOver();
    return account;
  };

  return async ({ tenant, origin }, { approval, client, targets: wanted, method }) => {
    const account = await findAccount(tenant, approval);
    const { sessionExpires: expires, approvedIn, authenticated, nonce } = approval;
    const scope = approval.scope?.filter(isScopeValue);
    if (!isWithinScope(scope, client.scopes)) throw isBeyondClient();
    const targets = approval.targets?.filter(isTokenTarget);
    const subject = { tenant, account, sessionId: randomUUID(), expires };
    const lifetimeSeconds = signer.lifetimeSeconds(expires);
    const identity = { tenantName: tenant.name, account, sessionId: subject.sessionId };
    const tokenSubject = { ...identity, targets: requireGranted(wanted, targets) };
    const refreshToken = method === 'external_login' ? undefined : createOpaqueToken();
    const accessToken = await signer.sign('access', tokenSubject, lifetimeSeconds);
    const login = { ...identity, oauthClient: client.id, nonce: nonce ?? undefined, authenticated };
    const idToken = scope?.includes('openid') ? await signer.signIdentity(login, lifetimeSeconds) : undefined;
    const metadata = {
      method,
      client: client.id,
      approved_in: approvedIn,
      ...(scope === undefined ? {} : { scope }),
      ...(targets === undefined ? {} : { targets }),
    };
    const session = {
      tenantId: tenant.id,
      sid: subject.sessionId,
      account,
      expires,
      keyId: signer.keyId(),
      refreshToken:
        refreshToken === undefined ? undefined : { family: randomUUID(), tokenHash: hashOpaqueToken(refreshToken) },
      approvedIn,
      oauthClient: client.id,
      scope,
      targets,
      sessionsMax,
      device: loginDevice({ origin, oauthClient: client.id }),
      audit: sessionRecord('LOGIN', subject, { origin, metadata }),
    };
    const tokens = { access_token: accessToken, refresh_token: refreshToken, expires_in: lifetimeSeconds };
    const granted = grantedScope(narrowPermissions(account.permissions, scope), scope);
    return { session, tokens: grantedTokens(tokens, { scope: granted, idToken }), user: account.name };
  };
}
