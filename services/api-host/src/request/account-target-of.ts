import { matchedVersion, type RouteRequest } from '@sluice/http';
import type { AccountTarget } from '../use-cases/administration/account-rules.ts';

interface AccountRequest {
  readonly params: { readonly id: string };
  readonly headers: RouteRequest['headers'];
}

/** Returns the account that a request is for, with the version of its If-Match header. */
export const accountTargetOf = ({ params, headers }: AccountRequest): AccountTarget => ({
  id: params.id,
  version: matchedVersion(headers),
});
