import { hashOpaqueToken, openLink, type VerifiedIdentity } from '@sluice/auth';
import { type ProblemError, signInProblem, type Tenant } from '@sluice/contract';
import type { StoredUser } from '@sluice/store/administration';

/** Account that administers the tenant, with the identity to link to it once its password is confirmed. */
export interface UnconfirmedLink {
  readonly user: Pick<StoredUser, 'id' | 'email' | 'has_password'>;
  readonly identity: VerifiedIdentity;
  readonly returnTo: string | undefined;
}

export const unknownLink = ({ name }: Tenant): ProblemError =>
  signInProblem('invalid_request', 'link_unknown', { values: { path: `/auth/login/${name}` } });

/** Keys by which a link is stored. */
export const linkKeys = (tenant: Tenant, token: string, cookie: string) => ({
  tenantId: tenant.id,
  stateHash: hashOpaqueToken(token),
  cookieHash: hashOpaqueToken(cookie),
});

/** Undefined for a value that was sealed for another purpose. Logins in progress are stored in the same table. */
export function openSealedLink(cookie: string, sealed: Uint8Array): UnconfirmedLink | undefined {
  try {
    return openLink(cookie, sealed) as UnconfirmedLink;
  } catch {
    return undefined;
  }
}
