import { hashOpaqueToken, type LoginThrottle, type OidcClient, openLogin, type VerifiedIdentity } from '@sluice/auth';
import { asProblem, type ProblemError, signInProblem, type Tenant } from '@sluice/contract';
import type { LoginTransactionStore } from '@sluice/store/identity';
import { type AdmitIdentity, identityEmail } from './admit-identity.ts';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { BeginLink } from './begin-link.ts';
import type { FindTenantProvider, TenantProvider } from './find-tenant-provider.ts';
import type { OpenedIdentitySession, OpenIdentitySession } from './open-identity-session.ts';
import type { RecordFailedSignOn } from './record-failed-sign-on.ts';
import type { RememberDevice } from './remember-device.ts';
import type { LoginInProgress } from './start-single-sign-on.ts';
import type { TestAdmission, TestedAdmission } from './test-admission.ts';
import type { UnconfirmedLink } from './unconfirmed-link.ts';

export interface FinishSingleSignOnInput {
  /** Parameters that the provider added to the callback address. */
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Cookie of the browser that began the login. */
  readonly cookie: string | undefined;
  /** Device cookie, by which the throttle recognises the browser. */
  readonly deviceCookie: string | undefined;
  /** Session cookie of the browser, which a new one replaces. */
  readonly sessionCookie: string | undefined;
  /** Checks `return_to` again: another version of this host, or other settings, may have begun the login. Throws `invalid_request`. */
  readonly checkReturnTo: (returnTo: string, allowedAddresses: readonly string[]) => string;
  /** Called with the page from which the user came, once the login is found: an error after that leads back to it. */
  readonly onReturnTo?: (returnTo: string | undefined) => void;
}

/** Login that waits for the password of the account, which administers the tenant. */
export interface LinkRequired extends UnconfirmedLink {
  readonly linkToken: string;
}

/**
 * Finishes a login at an identity provider: opens the session, or begins a link that the user has to confirm. A test login returns what
 * it would do. Throws
 * `invalid_request`, `unauthorized`, `access_denied`, `conflict`, `too_many_requests` and `service_unavailable`.
 */
type FinishSingleSignOn = (
  caller: AnonymousCaller,
  input: FinishSingleSignOnInput,
) => Promise<(OpenedIdentitySession & { readonly deviceCookie: string | undefined }) | LinkRequired | TestedAdmission>;

interface FinishSingleSignOnDependencies {
  readonly oidc: Pick<OidcClient, 'redeem'>;
  readonly logins: Pick<LoginTransactionStore, 'take'>;
  readonly findProvider: FindTenantProvider;
  readonly admit: AdmitIdentity;
  readonly testAdmission: TestAdmission;
  readonly openIdentitySession: OpenIdentitySession;
  readonly beginLink: BeginLink;
  readonly rememberDevice: RememberDevice;
  readonly throttle: Pick<LoginThrottle, 'delayAddress' | 'countAddressFailure'>;
  readonly recordFailure: RecordFailedSignOn;
}

const unknownLogin = ({ name }: Tenant): ProblemError =>
  signInProblem('invalid_request', 'login_unknown', { values: { path: `/auth/login/${name}` } });

/** Undefined for a value that was sealed for another purpose. Links that wait for a password are stored in the same table. */
function openSealed(cookie: string, sealed: Uint8Array): LoginInProgress | undefined {
  try {
    return openLogin(cookie, sealed) as LoginInProgress;
  } catch {
    return undefined;
  }
}

interface OpenedLogin {
  readonly login: LoginInProgress;
  readonly provider: TenantProvider;
}

const LINK_REASON = 'The account administers the tenant: only its password or another admin can link it.';

/** User of the audit record while the identity is not known. */
const UNKNOWN_USER = 'unknown';

export function createFinishSingleSignOn(dependencies: FinishSingleSignOnDependencies): FinishSingleSignOn {
  const { oidc, logins, findProvider, admit, openIdentitySession, beginLink } = dependencies;
  const { rememberDevice, throttle, recordFailure, testAdmission } = dependencies;

  /** Takes a login once, for the browser and the tenant in which it began. Throws `invalid_request`. */
  const takeLogin = async (tenant: Tenant, input: FinishSingleSignOnInput): Promise<OpenedLogin> => {
    const { query, cookie, checkReturnTo } = input;
    const { state } = query;
    if (state === undefined || cookie === undefined) throw unknownLogin(tenant);
    const hashes = { stateHash: hashOpaqueToken(state), cookieHash: hashOpaqueToken(cookie) };
    const sealed = await logins.take({ tenantId: tenant.id, ...hashes });
    if (sealed === undefined) throw unknownLogin(tenant);
    const login = openSealed(cookie, sealed);
    if (login === undefined) throw unknownLogin(tenant);
    const provider = await findProvider({ tenant });
    const isSame = provider?.client.issuer === login.issuer && provider.client.clientId === login.clientId;
    if (provider === undefined || !isSame) throw unknownLogin(tenant);
    const { returnTo } = login;
    const checked = returnTo === undefined ? undefined : checkReturnTo(returnTo, provider.stored.returnTo);
    return { login: { ...login, returnTo: checked }, provider };
  };

  const redeem = (
    { login, provider }: OpenedLogin,
    query: FinishSingleSignOnInput['query'],
  ): Promise<VerifiedIdentity> => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
    return oidc.redeem(provider.client, { ...login, state: query['state'] ?? '' }, parameters);
  };

  /** Records the subject, which an admin who approves the link has to send. */
  const requireLink = async (
    caller: AnonymousCaller,
    link: UnconfirmedLink,
    cookie: string | undefined,
  ): Promise<LinkRequired> => {
    const linkToken = await beginLink(caller, { link, cookie });
    const { issuer, subject } = link.identity;
    await recordFailure(caller, { issuer, subject, user: link.user.email, reason: LINK_REASON });
    return { ...link, linkToken };
  };

  /** Authenticates the user and opens the session. Records a failure. */
  const finish = async (
    caller: AnonymousCaller,
    opened: OpenedLogin,
    { query, cookie, sessionCookie, deviceCookie }: FinishSingleSignOnInput,
  ): Promise<OpenedIdentitySession | LinkRequired> => {
    const { issuer, returnTo, isFromOtherSite } = opened.login;
    // A page of another site may begin a login that ends without a question. It must not end a session, with its running queries.
    const replacedCookie = isFromOtherSite === true ? undefined : sessionCookie;
    let user = UNKNOWN_USER;
    try {
      const identity = await redeem(opened, query);
      const login = { provider: opened.provider.stored, identity };
      user = identityEmail(login) ?? UNKNOWN_USER;
      const admitted = await admit(caller, login);
      user = admitted.user.email;
      if (admitted.kind === 'unconfirmed') {
        return await requireLink(caller, { user: admitted.user, identity, returnTo }, cookie);
      }
      return await openIdentitySession(caller, { admitted, identity, returnTo, replacedCookie, deviceCookie });
    } catch (thrown) {
      await recordFailure(caller, { issuer, user, reason: asProblem(thrown).message });
      throw thrown;
    }
  };

  const finishThrottled = async (caller: AnonymousCaller, opened: OpenedLogin, input: FinishSingleSignOnInput) => {
    // The user is not known yet, so failures count by address alone. Many users may share it, so they only delay.
    const { tenant, origin } = caller;
    await throttle.delayAddress(tenant.id, origin.address);
    try {
      return await finish(caller, opened, input);
    } catch (thrown) {
      if (asProblem(thrown).status < 500) await throttle.countAddressFailure(tenant.id, origin.address);
      throw thrown;
    }
  };

  const finishTest = async (
    caller: AnonymousCaller,
    opened: OpenedLogin,
    { query }: FinishSingleSignOnInput,
  ): Promise<TestedAdmission> => {
    await throttle.delayAddress(caller.tenant.id, caller.origin.address);
    const identity = await redeem(opened, query);
    return await testAdmission(caller, { provider: opened.provider.stored, identity });
  };

  return async (caller, input) => {
    const { tenant } = caller;
    const opened = await takeLogin(tenant, input);
    input.onReturnTo?.(opened.login.returnTo);
    if (opened.login.isTest === true) return await finishTest(caller, opened, input);
    const finished = await finishThrottled(caller, opened, input);
    if ('linkToken' in finished) return finished;
    const remember = { tenantId: tenant.id, userId: finished.userId, sent: input.deviceCookie };
    return { ...finished, deviceCookie: await rememberDevice(remember) };
  };
}
