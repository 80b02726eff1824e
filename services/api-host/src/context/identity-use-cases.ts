import { createExternalLogins, createValueSeal, issuerOf, type TargetAddresses } from '@sluice/auth';
import type { Tenant } from '@sluice/contract';
import { createDescribeCaller } from '@sluice/host-runtime';
import { createAcceptInvitation, createFindInvitation } from '../use-cases/identity/accept-invitation.ts';
import { createAdmitIdentity } from '../use-cases/identity/admit-identity.ts';
import type { AnonymousCaller } from '../use-cases/identity/anonymous-caller.ts';
import { createApproveProgram } from '../use-cases/identity/approve-program.ts';
import { createAuthenticateClient } from '../use-cases/identity/authenticate-client.ts';
import { createAuthenticateProgram } from '../use-cases/identity/authenticate-program.ts';
import { createBeginDeviceLogin } from '../use-cases/identity/begin-device-login.ts';
import { createBeginLink } from '../use-cases/identity/begin-link.ts';
import { createChangePassword } from '../use-cases/identity/change-password.ts';
import { createConfirmLink } from '../use-cases/identity/confirm-link.ts';
import { createDecideDeviceLogin, createFindDeviceLogin } from '../use-cases/identity/decide-device-login.ts';
import { createEndProviderSessions } from '../use-cases/identity/end-provider-sessions.ts';
import { createEndSession } from '../use-cases/identity/end-session.ts';
import { createExchangeCookie } from '../use-cases/identity/exchange-cookie.ts';
import { createDecideExternalLogin, createFindExternalLogin } from '../use-cases/identity/external-login.ts';
import { createFindBrowserSession } from '../use-cases/identity/find-browser-session.ts';
import { createFindLink } from '../use-cases/identity/find-link.ts';
import { createFindProgram, createReadProgramDocument } from '../use-cases/identity/find-program.ts';
import {
  createFindTenantProvider,
  createHasTenantProvider,
  type FindTenantProvider,
} from '../use-cases/identity/find-tenant-provider.ts';
import { createFinishSingleSignOn } from '../use-cases/identity/finish-single-sign-on.ts';
import { createIntrospectToken } from '../use-cases/identity/introspect-token.ts';
import { createIssueClientToken } from '../use-cases/identity/issue-client-token.ts';
import { createLogInForCookie, createLogInForTokens } from '../use-cases/identity/log-in.ts';
import { createLogOut } from '../use-cases/identity/log-out.ts';
import { createOpenIdentitySession } from '../use-cases/identity/open-identity-session.ts';
import { createOpenSession, type OpenSession } from '../use-cases/identity/open-session.ts';
import { createEndExternalLogin, createPollExternalLogin } from '../use-cases/identity/poll-external-login.ts';
import { createPrepareProgramSession } from '../use-cases/identity/prepare-program-session.ts';
import { createHasConsented, createRememberConsent } from '../use-cases/identity/program-consents.ts';
import { createRecordFailedSignOn } from '../use-cases/identity/record-failed-sign-on.ts';
import { createRecordRefusal } from '../use-cases/identity/record-refusal.ts';
import { createRedeemAuthorizationCode } from '../use-cases/identity/redeem-authorization-code.ts';
import { createRedeemDeviceCode } from '../use-cases/identity/redeem-device-code.ts';
import { createRefreshTokens } from '../use-cases/identity/refresh-tokens.ts';
import { createRememberDevice } from '../use-cases/identity/remember-device.ts';
import { createRevokeProgramToken } from '../use-cases/identity/revoke-program-token.ts';
import { createStartSingleSignOn } from '../use-cases/identity/start-single-sign-on.ts';
import { createTestAdmission } from '../use-cases/identity/test-admission.ts';
import { createBeginTestLogin, createTakeTestLogin } from '../use-cases/identity/test-login.ts';
import { WaitingLogins } from '../use-cases/identity/waiting-logins.ts';
import type { ApiContext } from './context.ts';

type IdentityContext = Pick<ApiContext, 'settings' | 'stores' | 'credentials' | 'events' | 'refusals' | 'lifecycle'>;

/** The finished use-cases of the routes below /auth. */
export type IdentityUseCases = ReturnType<typeof createIdentityUseCases>;

export function createIdentityUseCases(context: IdentityContext) {
  const { settings, stores, credentials } = context;
  const { resources: database, sessions, authStatus, refreshTokens } = stores;
  const { signer, secrets, tokens, oidc, box, passwords, now } = credentials;
  const { sessionLifetimeMs, ssoSessionLifetimeMs, sessionsMax } = settings;
  const lifetimes = { sessionLifetimeMs, ssoSessionLifetimeMs };
  const openSession = createOpenSession({ sessions, signer, box, ...lifetimes, sessionsMax, now });
  const findTenantProvider = createFindTenantProvider({ database, box });
  const login = { secrets, sessions, openSession, rememberDevice: createRememberDevice(stores) };
  const findInvitation = createFindInvitation({ database });
  const onReuse = ({ tenant, origin }: AnonymousCaller) =>
    context.events.authentication('refresh_token_reused', { tenant: tenant.name, requestId: origin.requestId });
  return {
    ...createSingleSignOn(context, openSession, findTenantProvider),
    ...createProgramLogins(context),
    ...createTrinoLogins(context),
    ...createClientTokens(context),
    logInForTokens: createLogInForTokens(login),
    logInForCookie: createLogInForCookie(login),
    refreshTokens: createRefreshTokens({ refreshTokens, authStatus, signer, onReuse }),
    exchangeCookie: createExchangeCookie({ sessions, refreshTokens, authStatus, signer, now }),
    logOut: createLogOut({ sessions, authStatus, tokens, oidc, box, findProvider: findTenantProvider }),
    describeCaller: createDescribeCaller({ callerUses: stores.callerUses, settings }),
    findInvitation,
    acceptInvitation: createAcceptInvitation({ database, passwords, findInvitation }),
    changePassword: createChangePassword({ database, secrets, passwords }),
  };
}

/** Values of `aud` in assertions of clients: the issuer, and the token endpoint, neither of which a Host header can name. */
function assertionAudiences(settings: ApiContext['settings'], tenantName: string): readonly string[] {
  const issuer = issuerOf(settings, tenantName);
  const origin = settings.publicUrl?.replaceAll('{tenant}', tenantName).replace(/\/$/, '');
  const endpoints = origin === undefined ? [] : [`${origin}/auth/${tenantName}/oauth2/token`];
  return [issuer, `${issuer}/oauth2/token`, ...endpoints];
}

/** Tokens of service accounts. */
function createClientTokens({ settings, stores, credentials, events }: IdentityContext) {
  const { sessions, authStatus, refreshTokens, audit, clientAssertions: assertions } = stores;
  const { signer, secrets, anyTokens, throttle, clientKeys, nameDigest, now } = credentials;
  const { tokenLifetimeMs, sessionsMax } = settings;
  const authenticateClient = createAuthenticateClient({
    secrets,
    authStatus,
    clientKeys,
    assertions,
    throttle,
    audit,
    nameDigest,
    now,
    audiencesOf: (tenantName) => assertionAudiences(settings, tenantName),
    onFailed: ({ tenant, origin: { requestId, address } }, user) =>
      events.authentication('login_failed', { tenant: tenant.name, user, requestId, address }),
  });
  const issuer = ({ name }: Pick<Tenant, 'name'>): string => issuerOf(settings, name);
  const introspection = {
    authenticateClient,
    tokens: anyTokens,
    refreshTokens,
    sessions,
    authStatus,
    audit,
    issuerOf: issuer,
  };
  return {
    issueClientToken: createIssueClientToken({
      authenticateClient,
      sessions,
      signer,
      tokenLifetimeMs,
      sessionsMax,
      now,
    }),
    introspectToken: createIntrospectToken(introspection),
  };
}

/** Tenant and the address of this host as the client sees it. */
interface AddressedTenant {
  readonly tenant: Pick<Tenant, 'name'>;
  readonly baseUrl: string;
}

/** Logins of programs by OAuth. */
function createProgramLogins({ settings, stores, credentials, events, refusals }: IdentityContext) {
  const { sessions, authStatus, refreshTokens, codes, throttles, deviceLogins: devices, oauthClients } = stores;
  const { signer, anyTokens, throttle, now, clientDocuments: documents } = credentials;
  const { resources: database } = stores;
  const findProgram = createFindProgram({ oauthClients });
  const prepareSession = createPrepareProgramSession({ authStatus, signer, sessionsMax: settings.sessionsMax });
  const decisions = { devices, throttles, throttle, now };
  const endSession = createEndSession({ sessions, authStatus });
  return {
    issuerOf: ({ name }: Pick<Tenant, 'name'>): string => issuerOf(settings, name),
    /** Public addresses of both hosts, as `resource` of a token request names them. */
    targetAddresses: ({ tenant: { name }, baseUrl }: AddressedTenant): TargetAddresses => ({
      api: baseUrl,
      stream: settings.streamPublicUrl?.replaceAll('{tenant}', name),
    }),
    findProgram,
    readProgramDocument: createReadProgramDocument({ documents }),
    authenticateProgram: createAuthenticateProgram({
      findProgram,
      throttles,
      throttle,
      audit: stores.audit,
      onFailed: ({ tenant, origin: { requestId, address } }, client) =>
        events.authentication('login_failed', { tenant: tenant.name, user: client.id, requestId, address }),
    }),
    recordRefusal: createRecordRefusal({
      records: refusals,
      findProgram,
      onRefused: ({ tenant, origin: { requestId, address } }, program) =>
        events.authentication('login_failed', { tenant: tenant.name, user: program, requestId, address }),
    }),
    hasConsented: createHasConsented({ database }),
    rememberConsent: createRememberConsent({ database }),
    findBrowserSession: createFindBrowserSession({ sessions, authStatus, now }),
    approveProgram: createApproveProgram({ codes }),
    redeemAuthorizationCode: createRedeemAuthorizationCode({
      codes,
      authStatus,
      prepareSession,
      onReuse: ({ tenant, origin: { requestId } }) =>
        events.authentication('authorization_code_reused', { tenant: tenant.name, requestId }),
    }),
    beginDeviceLogin: createBeginDeviceLogin({ devices, throttles }),
    findDeviceLogin: createFindDeviceLogin(decisions),
    decideDeviceLogin: createDecideDeviceLogin(decisions),
    redeemDeviceCode: createRedeemDeviceCode({ devices, prepareSession }),
    revokeProgramToken: createRevokeProgramToken({ refreshTokens, sessions, tokens: anyTokens, endSession }),
  };
}

/** Logins of Trino clients in a browser. */
function createTrinoLogins({ settings, stores, credentials, lifecycle }: IdentityContext) {
  const { authStatus, throttles, externalLogins: store } = stores;
  const { signer, now } = credentials;
  // The stream host has no master key, but the key in the database.
  const seal = async () => createValueSeal({ current: await throttles.hashKey() });
  const decisions = { logins: createExternalLogins({ seal, now }), store };
  return {
    findExternalLogin: createFindExternalLogin(decisions),
    decideExternalLogin: createDecideExternalLogin(decisions),
    pollExternalLogin: createPollExternalLogin({
      store,
      prepareSession: createPrepareProgramSession({ authStatus, signer, sessionsMax: settings.sessionsMax }),
      waiting: new WaitingLogins(),
      tokenLifetimeMs: settings.tokenLifetimeMs,
      now,
      isStopping: () => lifecycle.state !== 'serving',
    }),
    endExternalLogin: createEndExternalLogin({ store }),
  };
}

/** Logins at the identity providers of tenants. */
function createSingleSignOn(
  { stores, credentials, events }: IdentityContext,
  openSession: OpenSession,
  findTenantProvider: FindTenantProvider,
) {
  const { logins, audit, sessions, resources: database } = stores;
  const { oidc, throttle, secrets, now } = credentials;
  const shared = {
    logins,
    findProvider: findTenantProvider,
    admit: createAdmitIdentity({ database }),
    openIdentitySession: createOpenIdentitySession(openSession),
    rememberDevice: createRememberDevice(stores),
    recordFailure: createRecordFailedSignOn({
      audit,
      onFailed: ({ tenant, origin: { requestId, address } }, user) =>
        events.authentication('login_failed', { tenant: tenant.name, user, requestId, address }),
    }),
  };
  return {
    findTenantProvider,
    hasTenantProvider: createHasTenantProvider({ database }),
    startSingleSignOn: createStartSingleSignOn({ oidc, logins }),
    finishSingleSignOn: createFinishSingleSignOn({
      ...shared,
      oidc,
      throttle,
      testAdmission: createTestAdmission({ database }),
      beginLink: createBeginLink({ logins }),
    }),
    endProviderSessions: createEndProviderSessions({ sessions, oidc, findProvider: findTenantProvider, throttle }),
    beginTestLogin: createBeginTestLogin({ database, logins, now }),
    takeTestLogin: createTakeTestLogin({ logins }),
    findLink: createFindLink({ logins }),
    confirmLink: createConfirmLink({ ...shared, secrets }),
  };
}
