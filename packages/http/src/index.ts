export {
  type Answer,
  type AnswerHeaders,
  type BodyAnswer,
  bytes,
  html,
  json,
  noContent,
  type ProblemBody,
  redirect,
  type StreamAnswer,
  stream,
} from './answer.ts';
export type { AppOptions } from './app-options.ts';
export type { Denial } from './authorize.ts';
export type { AllowedOrigins } from './cors.ts';
export { type App, createApp } from './create-app.ts';
export { documentOperations, documentRoutes } from './document-routes.ts';
export type { DrainOptions } from './drain.ts';
export type { HealthCheck } from './health-checks.ts';
export { type HealthRoutesOptions, healthRoutes } from './health-routes.ts';
export { createLifecycle, type Lifecycle, type LifecycleState } from './lifecycle.ts';
export { type ListeningServer, type ListenOptions, listen } from './listen.ts';
export { createOpenApiDocument, type DocumentInfo, type OpenApiDocument } from './openapi-document.ts';
export type { Authenticator, ExpectedCaller, TenantDirectory } from './ports.ts';
export { type Reader, type Route, type RouteRequest, route } from './route.ts';
