import type { Caller } from '@sluice/store/audit';

/** Picks the caller from a request, so that a use-case never receives the request itself. */
export const callerOf = ({ principal, requestId, address, userAgent }: Caller): Caller => ({
  principal,
  requestId,
  address,
  userAgent,
});
