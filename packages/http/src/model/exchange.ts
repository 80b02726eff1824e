import type { Principal } from '@sluice/contract';
import type { Logger, RequestSpan } from '@sluice/observability';
import type { Request, Response } from 'express';
import type { Route } from './route.ts';
import type { ProblemBody } from './route-response.ts';

/** One request with its response, from the first header until the response is closed. */
export interface Exchange {
  readonly req: Request;
  readonly res: Response;
  readonly requestId: string;
  /** Span of the request, which ends with the response. */
  readonly span: RequestSpan;
  readonly controller: AbortController;
  /** Whether the client used https, as a trusted proxy reports. */
  readonly isSecure: boolean;
  /** Resolves when the response is closed, whether complete or not. */
  readonly closed: Promise<void>;
  /** Gets the tenant and the user as soon as they are known. */
  log: Logger;
  /** Set when the caller is authenticated. */
  principal: Principal | undefined;
  /** Set when path and method match a route. */
  route: Route | undefined;
  /** Body of a problem before the first byte of the current stream, if it is not the error JSON. */
  problemBody: ProblemBody | undefined;
  /** Whether the current stream logs its own failures. */
  logsFailures: boolean;
}
