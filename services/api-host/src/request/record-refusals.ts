import type { Tenant } from '@sluice/contract';
import type { Route, RouteRequest } from '@sluice/http';
import { type RecordRefusal, type Refusal, refusalReason } from '../use-cases/identity/record-refusal.ts';
import { anonymousCallerOf } from './anonymous-caller-of.ts';

type RefusableRequest = Pick<RouteRequest, 'address' | 'requestId' | 'userAgent'> & { readonly tenant: Tenant };

/** Runs a step of a request, and records the refusal with which it fails. */
export async function recordingRefusal<Result>(
  recordRefusal: RecordRefusal,
  refusal: Omit<Refusal, 'reason'> & { readonly request: RefusableRequest },
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (thrown) {
    const { request, ...refused } = refusal;
    await recordRefusal(anonymousCallerOf(request), { ...refused, reason: refusalReason(thrown) });
    throw thrown;
  }
}

/** Returns the route, which also records requests whose input the kernel rejects: a form that is too large, or names two clients. */
export const recordingInvalidInput = (recordRefusal: RecordRefusal, method: string, route: Route): Route => ({
  ...route,
  onInvalidInput: (request, problem) =>
    recordRefusal(anonymousCallerOf(request), { method, reason: refusalReason(problem) }),
});
