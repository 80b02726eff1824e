import { createOperatorGate, issuerOf, type OperatorGate } from '@sluice/auth';
import { apiOperations, streamOperations } from '@sluice/contract';
import { accountShare, isLoopbackName, protectedResourceRoute, recordDenial } from '@sluice/host-runtime';
import { type App, createApp, documentRoutes, type HealthMonitor, type Route } from '@sluice/http';
import type { ApiContext } from './context/context.ts';
import { createUseCases } from './context/use-cases.ts';
import { problemPage } from './pages/problem-page.ts';
import { applyRoute } from './resources/administration/apply/apply-file.ts';
import { auditSettingsRoutes } from './resources/administration/audit-settings.ts';
import { grantRoutes } from './resources/administration/grants.ts';
import { identityProviderRoutes } from './resources/administration/identity-provider.ts';
import { limitRoutes } from './resources/administration/limits.ts';
import { createMakeInvitation } from './resources/administration/make-invitation.ts';
import { oauthClientRoutes } from './resources/administration/oauth-clients.ts';
import { oauthSettingsRoutes } from './resources/administration/oauth-settings.ts';
import { roleRoutes } from './resources/administration/roles.ts';
import { serviceAccountRoutes } from './resources/administration/service-accounts.ts';
import { sessionSettingsRoutes } from './resources/administration/session-settings.ts';
import { sessionRoutes } from './resources/administration/sessions.ts';
import { signingKeyRoutes } from './resources/administration/signing-keys.ts';
import { operatorRoutes } from './resources/administration/tenants.ts';
import { userRoutes } from './resources/administration/users.ts';
import { auditCheckpointsRoute } from './resources/audit/audit-checkpoints.ts';
import { domainRoutes } from './resources/catalog/domains.ts';
import { harvestRoutes } from './resources/catalog/harvests.ts';
import { metadataFileRoutes } from './resources/catalog/metadata-files.ts';
import { metadataHistoryRoute } from './resources/catalog/metadata-history.ts';
import { metadataImportRoute } from './resources/catalog/metadata-import.ts';
import { metadataOverviewRoutes } from './resources/catalog/metadata-overview.ts';
import { datamapRoutes } from './resources/datamaps/datamaps.ts';
import { ownConsentRoutes } from './resources/identity/own-consents.ts';
import { ownNotificationRoutes } from './resources/identity/own-notifications.ts';
import { ownSessionRoutes } from './resources/identity/own-sessions.ts';
import { auditEvidenceRoute } from './routes/audit/audit-evidence.ts';
import { auditExportRoute } from './routes/audit/audit-export.ts';
import { auditPageRoute, auditSearchRoute } from './routes/audit/audit-search.ts';
import { auditStreamRoute } from './routes/audit/audit-stream.ts';
import { auditSummaryRoute } from './routes/audit/audit-summary.ts';
import { browseRoutes } from './routes/catalog/browse-routes.ts';
import { consoleRoutes } from './routes/console.ts';
import { health } from './routes/health.ts';
import { authorizationServerMetadata } from './routes/identity/authorization-server-metadata.ts';
import { authorizeRoutes } from './routes/identity/authorize.ts';
import { backchannelLogout } from './routes/identity/backchannel-logout.ts';
import { changePasswordRoute } from './routes/identity/change-password.ts';
import { checkSession } from './routes/identity/check-session.ts';
import { confirmLink } from './routes/identity/confirm-link.ts';
import { deviceLoginRoutes } from './routes/identity/device-login.ts';
import { externalLoginRoutes } from './routes/identity/external-login.ts';
import { finishLogin } from './routes/identity/finish-login.ts';
import { introspectToken } from './routes/identity/introspect-token.ts';
import { invitationRoutes } from './routes/identity/invitation.ts';
import { jwks } from './routes/identity/jwks.ts';
import { loginLocal } from './routes/identity/login-local.ts';
import { logoutRoutes } from './routes/identity/logout.ts';
import { meRoute } from './routes/identity/me.ts';
import { refresh } from './routes/identity/refresh.ts';
import { requestToken } from './routes/identity/request-token.ts';
import { revokeToken } from './routes/identity/revoke-token.ts';
import { sessionTokens } from './routes/identity/session-tokens.ts';
import { signIn } from './routes/identity/sign-in.ts';
import { signInPage } from './routes/identity/sign-in-page.ts';
import { startLogin } from './routes/identity/start-login.ts';
import { VERSION } from './version.ts';

const createGate = ({ settings, now }: ApiContext): OperatorGate | undefined =>
  settings.operatorToken && createOperatorGate({ token: settings.operatorToken.reveal(), now });

/** Builds the HTTP application of this host. */
export function createApiApp(context: ApiContext, monitor: HealthMonitor, furtherRoutes: readonly Route[]): App {
  const useCases = createUseCases(context);
  const { stores, credentials, settings } = context;
  const resources = {
    ...credentials,
    ...useCases,
    database: stores.resources,
    limitDefaults: settings,
    sessionLifetimeMs: settings.sessionLifetimeMs,
    makeInvitation: createMakeInvitation({ lifetimeMs: settings.invitationLifetimeMs, now: context.now }),
  };
  const notifications = { mailLanguage: settings.mailLanguage, isMailConfigured: settings.smtpUrl !== undefined };
  const { events, allowedOrigins, now } = context;
  const identity = { ...useCases, events, allowedOrigins, now };
  const operator = { ...resources, directory: stores.directory, audit: stores.audit, gate: createGate(context) };
  const routes: Route[] = [
    ...health(context, monitor),
    jwks(context.credentials.keyRing),
    loginLocal(identity),
    startLogin(identity),
    finishLogin(identity),
    confirmLink(identity),
    signInPage(identity),
    signIn(identity),
    checkSession(identity),
    sessionTokens(identity),
    refresh(identity),
    protectedResourceRoute({
      issuerOf: (tenantName) => issuerOf(settings, tenantName),
      tenantNameDefault: settings.tenantNameDefault,
    }),
    ...authorizationServerMetadata(identity),
    ...authorizeRoutes(identity),
    ...deviceLoginRoutes(identity),
    ...externalLoginRoutes(identity),
    requestToken(identity),
    revokeToken(identity),
    introspectToken(identity),
    ...logoutRoutes(identity),
    backchannelLogout(identity),
    meRoute(identity),
    ...ownSessionRoutes(resources),
    ...ownConsentRoutes(resources),
    ...ownNotificationRoutes({ ...resources, ...notifications }),
    changePasswordRoute(identity),
    auditSearchRoute(context.auditServices),
    auditPageRoute(context.auditServices),
    auditExportRoute(context.auditServices),
    auditEvidenceRoute(context.auditServices),
    auditStreamRoute(context.auditServices),
    auditSummaryRoute(context.auditServices),
    auditCheckpointsRoute(stores),
    metadataImportRoute({ ...resources, datamaps: stores.datamaps, events: context.events }),
    ...metadataFileRoutes({
      ...resources,
      datamaps: stores.datamaps,
      metadataImports: stores.metadataImports,
      enqueueImport: context.metadataImports.enqueue,
    }),
    ...metadataOverviewRoutes(resources),
    metadataHistoryRoute(resources),
    ...browseRoutes(useCases),
    ...domainRoutes(resources),
    ...harvestRoutes({ database: stores.resources, enqueueHarvest: context.harvests.enqueue }),
    ...datamapRoutes({ ...resources, counters: stores.counters }),
    ...invitationRoutes(identity),
    ...userRoutes(resources),
    ...roleRoutes(resources),
    ...sessionRoutes(resources),
    ...limitRoutes(resources),
    ...sessionSettingsRoutes(resources),
    ...auditSettingsRoutes(resources),
    ...serviceAccountRoutes(resources),
    ...oauthClientRoutes(resources),
    ...oauthSettingsRoutes(resources),
    ...grantRoutes(resources),
    ...identityProviderRoutes(resources),
    applyRoute(resources),
    ...consoleRoutes(context),
    ...operatorRoutes(operator),
    ...signingKeyRoutes(operator),
    ...furtherRoutes,
  ];
  const info = {
    title: 'Sluice API host',
    version: VERSION,
    description:
      'Log in, refresh and log out; the keys that verify tokens; the catalog, the audit log and administration.',
  };
  return createApp({
    routes: [...routes, ...documentRoutes({ routes, info })],
    authenticator: context.authenticator,
    tenants: { find: (name) => context.stores.tenants.findByName(name) },
    tenantHostSuffix: context.settings.tenantHostSuffix,
    allowedOrigins: context.allowedOrigins,
    ...(context.settings.allowsLoopbackOrigins ? { isOwnHostName: isLoopbackName } : {}),
    onDenied: recordDenial(context.stores.audit, context.events),
    accountRequests: accountShare(context.settings),
    otherHost: { name: 'stream host', operations: Object.values(streamOperations) },
    problemPage,
    resourceMetadataPath: apiOperations.protectedResourceMetadata.path,
    lifecycle: context.lifecycle,
    log: context.log,
    metrics: context.metrics,
    tracer: context.tracer,
    publicUrl: context.settings.publicUrl,
    trustsForwardedHost: context.settings.trustsForwardedHost,
    ...(context.settings.trustedProxies === undefined ? {} : { trustedProxies: context.settings.trustedProxies }),
  });
}
