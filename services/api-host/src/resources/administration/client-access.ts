import { isDeepStrictEqual } from 'node:util';
import type { ClientKeySource } from '@sluice/auth';
import { type ClientKeySet, invalidRequest, ProblemError } from '@sluice/contract';
import type { ClientAccess } from '@sluice/store/administration';

/** Rules of the access that a request changes. Absent fields keep their value. */
export interface ClientAccessChange {
  readonly allowed_networks?: readonly string[] | null | undefined;
  readonly scopes?: readonly string[] | null | undefined;
  readonly jwks?: ClientKeySet | null | undefined;
  readonly jwks_uri?: string | null | undefined;
  readonly may_introspect?: boolean | undefined;
}

/** Access of a new service account: limited only by its roles. */
export const DEFAULT_ACCESS: ClientAccess = {
  allowed_networks: null,
  scopes: null,
  jwks: null,
  jwks_uri: null,
  may_introspect: false,
};

const orBefore = <T>(wanted: T | undefined, before: T): T => (wanted === undefined ? before : wanted);

/** Returns the rules after a change. New keys inline replace an address, and the other way round. */
export function mergeAccess(before: ClientAccess, change: ClientAccessChange): ClientAccess {
  const { allowed_networks: networks, scopes, jwks, jwks_uri: jwksUri, may_introspect: mayIntrospect } = change;
  return {
    allowed_networks: orBefore(networks && [...networks], before.allowed_networks),
    scopes: orBefore(scopes && [...scopes], before.scopes),
    jwks: jwksUri == null ? orBefore(jwks, before.jwks) : null,
    jwks_uri: jwks == null ? orBefore(jwksUri, before.jwks_uri) : null,
    may_introspect: orBefore(mayIntrospect, before.may_introspect),
  };
}

const pickAccess = ({ allowed_networks, scopes, jwks, jwks_uri, may_introspect }: ClientAccess): ClientAccess => ({
  allowed_networks,
  scopes,
  jwks,
  jwks_uri,
  may_introspect,
});

export const isSameAccess = (before: ClientAccess, after: ClientAccess): boolean =>
  isDeepStrictEqual(pickAccess(before), pickAccess(after));

export const areSameKeys = (before: ClientAccess, after: ClientAccess): boolean =>
  isDeepStrictEqual([before.jwks, before.jwks_uri], [after.jwks, after.jwks_uri]);

/** Returns the rules that are not those of a new account, for audit records. */
export const presentAccess = (access: ClientAccess): Partial<ClientAccess> =>
  Object.fromEntries(
    Object.entries(pickAccess(access)).filter(
      ([name, value]) => !isDeepStrictEqual(value, DEFAULT_ACCESS[name as keyof ClientAccess]),
    ),
  );

/**
 * Checks that keys are public keys of their kind, and that their address is one to which this host may send requests. Throws
 * `invalid_request` with the path of the violation.
 */
export function checkKeys(
  keySource: Pick<ClientKeySource, 'checkKeys' | 'checkAddress'>,
  { jwks, jwks_uri: jwksUri }: ClientAccessChange,
  path: string,
): void {
  try {
    if (jwksUri != null) keySource.checkAddress(jwksUri);
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    throw invalidRequest({ path: `${path}.jwks_uri`, message: `jwks_uri ${thrown.message}` }, { cause: thrown });
  }
  const unusable = jwks == null ? undefined : keySource.checkKeys(jwks);
  if (unusable === undefined) return;
  throw invalidRequest({ path: `${path}.jwks.keys[${unusable}]`, message: 'is not a point or a key of its kind' });
}
