import {
  hashOpaqueToken,
  type LoginThrottle,
  type OidcClient,
  openLogin,
  type ProvedIdentity,
  type RequestOrigin,
} from '@sluice/auth';
import { asProblem, ProblemError, type Tenant, type Tokens } from '@sluice/contract';
import type { AuditStore, LoginTransactionStore } from '@sluice/store';
import { type AdmitIdentity, identityEmail } from './admit-identity.ts';
import type { HeldCookie, OpenSession } from './open-session.ts';
import type { LoginUnderWay } from './start-single-sign-on.ts';
import type { FindTenantProvider, TenantProvider } from './tenant-provider.ts';

export interface SingleSignOnAnswer {
  readonly tenant: Tenant;
  /** What the provider had the browser bring. */
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly cookie: string | undefined;
  readonly origin: RequestOrigin;
  /** Checks again where the login leads: another version of this host, or other settings, may have begun it. Throws `invalid_request`. */
  readonly checkReturnTo: (returnTo: string, allowedAddresses: readonly string[]) => string;
}

/** Tokens, or where the login leads with a session cookie. */
export type FinishedSingleSignOn = { readonly user: string } & (
  | { readonly tokens: Tokens }
  | { readonly returnTo: string; readonly held: HeldCookie }
);

export interface FinishSingleSignOnOptions {
  readonly oidc: Pick<OidcClient, 'redeem'>;
  readonly logins: Pick<LoginTransactionStore, 'take'>;
  readonly findProvider: FindTenantProvider;
  readonly admit: AdmitIdentity;
  readonly openSession: OpenSession;
  readonly throttle: Pick<LoginThrottle, 'take' | 'giveBack'>;
  readonly audit: Pick<AuditStore, 'append'>;
  /** Told of each refused login, besides the audit record; for metrics. */
  readonly onFailed: (failure: {
    readonly tenant: Tenant;
    readonly user: string;
    readonly origin: RequestOrigin;
  }) => void;
}

const refuseUnknown = ({ name }: Tenant): ProblemError =>
  new ProblemError(
    'invalid_request',
    `This login is unknown, used, older than ten minutes, or of another browser. Begin again at /auth/login/${name}.`,
  );

interface OpenedLogin {
  readonly login: LoginUnderWay;
  readonly provider: TenantProvider;
}

/** In the place of whom nobody could name. */
const NOBODY = 'unknown';

export function createFinishSingleSignOn(options: FinishSingleSignOnOptions) {
  const { oidc, logins, findProvider, admit, openSession, throttle, audit, onFailed } = options;

  /** Once, for the browser that began, in the tenant where it began. Throws `invalid_request`. */
  const openUnderWay = async ({ tenant, query, cookie, checkReturnTo }: SingleSignOnAnswer): Promise<OpenedLogin> => {
    const { state } = query;
    if (state === undefined || cookie === undefined) throw refuseUnknown(tenant);
    const hashes = { stateHash: hashOpaqueToken(state), cookieHash: hashOpaqueToken(cookie) };
    const sealed = await logins.take({ tenantId: tenant.id, ...hashes });
    if (sealed === undefined) throw refuseUnknown(tenant);
    const login = openLogin(cookie, sealed) as LoginUnderWay;
    const provider = await findProvider(tenant.id);
    const isSame = provider?.client.issuer === login.issuer && provider.client.clientId === login.clientId;
    if (provider === undefined || !isSame) throw refuseUnknown(tenant);
    const { returnTo } = login;
    const checked = returnTo === undefined ? undefined : checkReturnTo(returnTo, provider.stored.returnTo);
    return { login: { ...login, returnTo: checked }, provider };
  };

  const redeem = ({ login, provider }: OpenedLogin, query: SingleSignOnAnswer['query']): Promise<ProvedIdentity> => {
    const answer = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) answer.set(name, value);
    return oidc.redeem(provider.client, { ...login, state: query['state'] ?? '' }, answer);
  };

  const recordFailure = async (
    { tenant, origin }: SingleSignOnAnswer,
    { issuer, user, problem }: { readonly issuer: string; readonly user: string; readonly problem: ProblemError },
  ): Promise<void> => {
    onFailed({ tenant, user, origin });
    const metadata = { method: 'single_sign_on', issuer, reason: problem.message };
    await audit.append({ tenantId: tenant.id, user, action: 'LOGIN_FAILED', target: user, metadata, ...origin });
  };

  /** Throws `unauthorized`, `access_denied`, `conflict` and `service_unavailable`; a failed login is on record. */
  const finish = async (answer: SingleSignOnAnswer, opened: OpenedLogin): Promise<FinishedSingleSignOn> => {
    const { tenant, origin } = answer;
    const { issuer } = opened.login;
    let user = NOBODY;
    try {
      const identity = await redeem(opened, answer.query);
      const login = { tenant, provider: opened.provider.stored, identity, origin };
      user = identityEmail(login) ?? NOBODY;
      const admitted = await admit(login);
      user = admitted.user.email;
      const { id, roles } = admitted.user;
      const proved = {
        tenant,
        account: { kind: 'user', id, name: user, roles },
        origin,
        identity: { issuer, idToken: identity.idToken },
        metadata: { method: 'single_sign_on', issuer, ...(admitted.isLinked ? { linked: true } : {}) },
      } as const;
      const { returnTo } = opened.login;
      if (returnTo === undefined) return { user, tokens: await openSession.forTokens(proved) };
      return { user, returnTo, held: await openSession.forCookie(proved) };
    } catch (thrown) {
      await recordFailure(answer, { issuer, user, problem: asProblem(thrown) });
      throw thrown;
    }
  };

  return async (answer: SingleSignOnAnswer): Promise<FinishedSingleSignOn> => {
    const opened = await openUnderWay(answer);
    // Who it is is not known yet, so attempts are counted by address alone.
    const attempt = { tenantId: answer.tenant.id, kind: 'user', address: answer.origin.address } as const;
    await throttle.take(attempt);
    try {
      const finished = await finish(answer, opened);
      await throttle.giveBack(attempt);
      return finished;
    } catch (thrown) {
      if (asProblem(thrown).status >= 500) await throttle.giveBack(attempt);
      throw thrown;
    }
  };
}

export type FinishSingleSignOn = ReturnType<typeof createFinishSingleSignOn>;
