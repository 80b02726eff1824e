import type { ProblemError } from '@sluice/contract';
import type { Reader } from './route.ts';
import type { RouteResponse } from './route-response.ts';

/** Renders a problem for a person. Must not throw. */
export type ProblemPage = (
  problem: ProblemError,
  request: { readonly headers: Reader; readonly requestId: string },
) => RouteResponse;
