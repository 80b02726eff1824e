import {
  hashOpaqueToken,
  type LoginThrottle,
  type OidcClient,
  openLogin,
  type RequestOrigin,
  type VerifiedIdentity,
} from '@sluice/auth';
import { asProblem, ProblemError, type Tenant } from '@sluice/contract';
import type { LoginTransactionStore } from '@sluice/store/identity';
import { type AdmitIdentity, identityEmail } from './admit-identity.ts';
import type { ConfirmLink, UnconfirmedLink } from './confirm-link.ts';
import { type OpenedIdentitySession, openIdentitySession } from './open-identity-session.ts';
import type { OpenSession } from './open-session.ts';
import type { RecordFailedSignOn } from './record-failed-sign-on.ts';
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

/** A login that waits for the password of the account, which administers the tenant. */
export interface LinkRequired extends UnconfirmedLink {
  readonly linkToken: string;
}

export type FinishedSingleSignOn = OpenedIdentitySession | LinkRequired;

export interface FinishSingleSignOnOptions {
  readonly oidc: Pick<OidcClient, 'redeem'>;
  readonly logins: Pick<LoginTransactionStore, 'take'>;
  readonly findProvider: FindTenantProvider;
  readonly admit: AdmitIdentity;
  readonly openSession: OpenSession;
  readonly confirmLink: Pick<ConfirmLink, 'begin'>;
  readonly throttle: Pick<LoginThrottle, 'delayAddress' | 'countAddressFailure'>;
  readonly recordFailure: RecordFailedSignOn;
}

const refuseUnknown = ({ name }: Tenant): ProblemError =>
  new ProblemError(
    'invalid_request',
    `This login is unknown, used, older than ten minutes, or of another browser. Begin again at /auth/login/${name}.`,
  );

/** Undefined for what was sealed for another purpose, as the links that wait for a password are. */
function openSealed(cookie: string, sealed: Uint8Array): LoginUnderWay | undefined {
  try {
    return openLogin(cookie, sealed) as LoginUnderWay;
  } catch {
    return undefined;
  }
}

interface OpenedLogin {
  readonly login: LoginUnderWay;
  readonly provider: TenantProvider;
}

const LINK_REASON = 'The account administers the tenant: it is linked by its password, or by another admin.';

/** In the place of whom nobody could name. */
const NOBODY = 'unknown';

export function createFinishSingleSignOn(options: FinishSingleSignOnOptions) {
  const { oidc, logins, findProvider, admit, openSession, confirmLink, throttle, recordFailure } = options;

  /** Once, for the browser that began, in the tenant where it began. Throws `invalid_request`. */
  const openUnderWay = async ({ tenant, query, cookie, checkReturnTo }: SingleSignOnAnswer): Promise<OpenedLogin> => {
    const { state } = query;
    if (state === undefined || cookie === undefined) throw refuseUnknown(tenant);
    const hashes = { stateHash: hashOpaqueToken(state), cookieHash: hashOpaqueToken(cookie) };
    const sealed = await logins.take({ tenantId: tenant.id, ...hashes });
    if (sealed === undefined) throw refuseUnknown(tenant);
    const login = openSealed(cookie, sealed);
    if (login === undefined) throw refuseUnknown(tenant);
    const provider = await findProvider(tenant.id);
    const isSame = provider?.client.issuer === login.issuer && provider.client.clientId === login.clientId;
    if (provider === undefined || !isSame) throw refuseUnknown(tenant);
    const { returnTo } = login;
    const checked = returnTo === undefined ? undefined : checkReturnTo(returnTo, provider.stored.returnTo);
    return { login: { ...login, returnTo: checked }, provider };
  };

  const redeem = ({ login, provider }: OpenedLogin, query: SingleSignOnAnswer['query']): Promise<VerifiedIdentity> => {
    const answer = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) answer.set(name, value);
    return oidc.redeem(provider.client, { ...login, state: query['state'] ?? '' }, answer);
  };

  /** On record with the subject, which an admin who approves the link has to name. */
  const requireLink = async (answer: SingleSignOnAnswer, link: UnconfirmedLink): Promise<LinkRequired> => {
    const linkToken = await confirmLink.begin(link, answer);
    const { tenant, origin } = answer;
    const { issuer, subject } = link.identity;
    await recordFailure({ tenant, origin, issuer, subject, user: link.user.email, reason: LINK_REASON });
    return { ...link, linkToken };
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
      const { returnTo } = opened.login;
      if (admitted.kind === 'unconfirmed')
        return await requireLink(answer, { user: admitted.user, identity, returnTo });
      return await openIdentitySession(openSession, { tenant, admitted, identity, returnTo, origin });
    } catch (thrown) {
      await recordFailure({ tenant, origin, issuer, user, reason: asProblem(thrown).message });
      throw thrown;
    }
  };

  return async (answer: SingleSignOnAnswer): Promise<FinishedSingleSignOn> => {
    const opened = await openUnderWay(answer);
    // Who it is is not known yet, so failures are counted by address alone, which may be that of many: they only delay.
    const { address } = answer.origin;
    await throttle.delayAddress(answer.tenant.id, address);
    try {
      return await finish(answer, opened);
    } catch (thrown) {
      if (asProblem(thrown).status < 500) await throttle.countAddressFailure(answer.tenant.id, address);
      throw thrown;
    }
  };
}

export type FinishSingleSignOn = ReturnType<typeof createFinishSingleSignOn>;
