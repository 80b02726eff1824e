export type { AppOptions } from './kernel/app-options.ts';
export type { Denial } from './kernel/authorize.ts';
export type { AllowedOrigins } from './kernel/cors.ts';
export { type App, createApp } from './kernel/create-app.ts';
export { createLifecycle, type Lifecycle, type LifecycleState } from './kernel/lifecycle.ts';
export type { ClientReader } from './model/client-reader.ts';
export type { AuthenticationContext, Authenticator, TenantDirectory } from './model/ports.ts';
export { type GuardedRequest, type Reader, type Route, type RouteRequest, route } from './model/route.ts';
export {
  type BodyResponse,
  bytes,
  html,
  json,
  noContent,
  type ProblemBody,
  type ResponseHeaders,
  type RouteResponse,
  redirect,
  type StreamResponse,
  stream,
} from './model/route-response.ts';
export { documentOperations, documentRoutes } from './openapi/document-routes.ts';
export { createOpenApiDocument, type DocumentInfo, type OpenApiDocument } from './openapi/openapi-document.ts';
export { entityTag, matchedVersion } from './request/entity-tag.ts';
export { clearHostCookie, type HostCookie, hostCookieName, setHostCookie } from './response/host-cookie.ts';
export type { DrainOptions } from './server/drain.ts';
export {
  type CheckResult,
  type HealthCheck,
  type HealthMonitor,
  type HealthMonitorOptions,
  startHealthMonitor,
} from './server/health-monitor.ts';
export { type HealthRoutesOptions, healthRoutes } from './server/health-routes.ts';
export { type ListeningServer, type ListenOptions, listen } from './server/listen.ts';
