export {
  type Answer,
  type AnswerHeaders,
  type BodyAnswer,
  bytes,
  html,
  json,
  noContent,
  redirect,
  type StreamAnswer,
  stream,
} from './answer.ts';
export type { AppOptions } from './app-options.ts';
export type { Denial } from './authorize.ts';
export type { AllowedOrigins } from './cors.ts';
export { type App, createApp } from './create-app.ts';
export type { DrainOptions } from './drain.ts';
export type { Lifecycle, LifecycleState } from './lifecycle.ts';
export { type ListeningServer, type ListenOptions, listen } from './listen.ts';
export type { Authenticator, ExpectedCaller, TenantDirectory } from './ports.ts';
export { type Reader, type Route, type RouteRequest, route } from './route.ts';
