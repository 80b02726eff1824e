export type { AppOptions } from './kernel/app-options.ts';
export { authorize, type Denial } from './kernel/authorize.ts';
export type { AllowedOrigins } from './kernel/cors.ts';
export { type App, createApp } from './kernel/create-app.ts';
export { createLifecycle, type Lifecycle } from './kernel/lifecycle.ts';
export type { BeginExternalLogin } from './model/external-login.ts';
export type { ProblemPage } from './model/problem-page.ts';
export { type GuardedRequest, type Reader, type Route, type RouteRequest, route } from './model/route.ts';
export {
  bytes,
  html,
  json,
  noContent,
  type ResponseHeaders,
  type RouteResponse,
  redirect,
  stream,
} from './model/route-response.ts';
export type { Upload } from './model/upload.ts';
export { documentOperations, documentRoutes } from './openapi/document-routes.ts';
export { createOpenApiDocument } from './openapi/openapi-document.ts';
export { AccountBudget } from './request/account-budget.ts';
export { type ByteRange, contentRange, requestedRange, unsatisfiedRange } from './request/byte-range.ts';
export {
  contentTag,
  entityTag,
  isMatched,
  matchedVersion,
  notModified,
  versionedContentTag,
} from './request/entity-tag.ts';
export { type PageLanguage, pageLanguage } from './request/page-language.ts';
export { parseJson } from './request/parse-json.ts';
export { type ParsedYaml, parseYaml, parseYamlPart, YamlFault } from './request/parse-yaml.ts';
export type { Input } from './request/read-input.ts';
export { validateInput } from './request/validate-input.ts';
export { type ContentCoding, chooseCoding } from './response/content-coding.ts';
export { escapeHtml } from './response/escape-html.ts';
export { clearHostCookie, hostCookieName, setHostCookie } from './response/host-cookie.ts';
export { htmlPage, PAGE_STYLE } from './response/html-page.ts';
export { type HealthCheck, type HealthMonitor, startHealthMonitor } from './server/health-monitor.ts';
export { healthRoutes } from './server/health-routes.ts';
export { type ListeningServer, listen, type SecurePort } from './server/listen.ts';
