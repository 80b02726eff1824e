import { issuerOf } from '@sluice/auth';
import { apiOperations, streamOperations } from '@sluice/contract';
import { accountShare, isLoopbackName, protectedResourceRoute, recordDenial } from '@sluice/host-runtime';
import { type App, createApp, documentRoutes, type HealthMonitor, healthRoutes, type Route } from '@sluice/http';
import { createFilesReportReader } from '@sluice/tenant-engines';
import type { StreamHostContext } from './context/context.ts';
import { doorRoutes } from './context/door-routes.ts';
import { createUseCases } from './context/use-cases.ts';
import { createDoorChallenges } from './door/door-challenges.ts';
import { serveDownload } from './downloads/download-route.ts';
import { tenantQueryRoutes } from './resources/administration/tenant-queries.ts';
import { accessRequestRoutes } from './resources/marketplace/access-requests.ts';
import { itemRoutes } from './resources/marketplace/items.ts';
import { keptResultRoutes } from './resources/queries/kept-results.ts';
import { datamapDownload } from './routes/datamaps/datamap-download.ts';
import { meRoute } from './routes/identity/me.ts';
import { marketplaceDownloads } from './routes/marketplace/marketplace-download.ts';
import { keptResultDownload } from './routes/queries/kept-result-download.ts';
import { queryCancelRoute } from './routes/queries/query-cancel.ts';
import { queryDownloads } from './routes/queries/query-download.ts';
import { queryEventsRoute } from './routes/queries/query-events.ts';
import { queryHistoryRoute } from './routes/queries/query-history.ts';
import { queryListRoute } from './routes/queries/query-list.ts';
import { queryRowsRoute } from './routes/queries/query-rows.ts';
import { queryStatusRoute } from './routes/queries/query-status.ts';
import { queryStreamRoute } from './routes/queries/query-stream.ts';
import { ticketRoutes } from './routes/queries/tickets.ts';

/** Creates the app with all routes of the stream host. */
export function createStreamApp(context: StreamHostContext, monitor: HealthMonitor): App {
  const useCases = createUseCases(context);
  const onDenied = recordDenial(context.audit, context.events);
  const downloads = [
    ...queryDownloads(useCases.downloadQuery),
    ...marketplaceDownloads(useCases),
    datamapDownload(useCases.downloadDatamap),
    keptResultDownload(useCases.downloadKeptResult),
  ];
  const routes: Route[] = [
    ...healthRoutes({
      operations: streamOperations,
      service: 'sluice-stream',
      monitor,
      lifecycle: context.lifecycle,
    }),
    protectedResourceRoute({
      issuerOf: (tenantName) => issuerOf(context.settings, tenantName),
      tenantNameDefault: context.settings.tenantNameDefault,
    }),
    meRoute(useCases),
    ...tenantQueryRoutes(context),
    queryStreamRoute(useCases, context.settings),
    ...downloads.map(serveDownload),
    ...ticketRoutes({ ...useCases, downloads, onDenied }),
    queryListRoute(useCases.listQueries),
    queryHistoryRoute(useCases.listQueryHistory),
    queryStatusRoute(useCases.findReceipt),
    queryRowsRoute(useCases.readKeptRows),
    queryEventsRoute(useCases.resumeEvents),
    ...keptResultRoutes(context),
    queryCancelRoute(useCases.cancelQuery),
    ...itemRoutes({ database: context.resources, filesReport: createFilesReportReader(context.settings) }),
    ...accessRequestRoutes({ database: context.resources }),
  ];
  const info = {
    title: 'Sluice stream host',
    version: '0.1.0',
    description: 'Governed SQL queries as streams and downloads, each with a receipt.',
  };
  return createApp({
    // Trino documents its protocol, so the OpenAPI document does not.
    routes: [...routes, ...documentRoutes({ routes, info }), ...doorRoutes(context, useCases)],
    authenticator: context.authenticator,
    tenants: { find: (name) => context.tenants.findByName(name) },
    tenantHostSuffix: context.settings.tenantHostSuffix,
    allowedOrigins: context.allowedOrigins,
    ...(context.settings.allowsLoopbackOrigins ? { isOwnHostName: isLoopbackName } : {}),
    onDenied,
    accountRequests: accountShare(context.settings),
    otherHost: { name: 'API host', operations: Object.values(apiOperations) },
    resourceMetadataPath: streamOperations.protectedResourceMetadata.path,
    externalLogin: createDoorChallenges(context),
    lifecycle: context.lifecycle,
    log: context.log,
    metrics: context.metrics,
    tracer: context.tracer,
    stallMs: context.settings.stallTimeoutMs,
    publicUrl: context.settings.publicUrl,
    trustsForwardedHost: context.settings.trustsForwardedHost,
    ...(context.settings.trustedProxies === undefined ? {} : { trustedProxies: context.settings.trustedProxies }),
  });
}
