import type { ApiOperationTypes } from '@sluice/client';
import type { Permission } from '@sluice/contract';
import { isSameSet, PERMISSION_NAMES } from './permissions.ts';
import type { ServiceAccount } from './use-admin.ts';

export const KEY_SOURCES = ['none', 'inline', 'address'] as const;
export type KeySource = (typeof KEY_SOURCES)[number];

/** Rules of the access of a service account, as its form has them. */
export interface AccessDraft {
  readonly networks: readonly string[];
  /** Null: all permissions of its roles. */
  readonly scopes: readonly Permission[] | null;
  readonly keySource: KeySource;
  /** JSON of the key set. */
  readonly keys: string;
  readonly keyAddress: string;
  readonly mayIntrospect: boolean;
}

type Access = Pick<ServiceAccount, 'allowed_networks' | 'scopes' | 'jwks' | 'jwks_uri' | 'may_introspect'>;
type AccessBody = Pick<NonNullable<ApiOperationTypes['updateServiceAccount']['body']>, keyof Access>;

const sourceOf = ({ jwks, jwks_uri: address }: Access): KeySource => {
  if (address !== null) return 'address';
  return jwks === null ? 'none' : 'inline';
};

/** Returns the draft of the rules that an account has. */
export const draftOfAccess = (access: Access): AccessDraft => ({
  networks: access.allowed_networks ?? [],
  scopes: access.scopes === null ? null : PERMISSION_NAMES.filter((name) => access.scopes?.includes(name)),
  keySource: sourceOf(access),
  keys: access.jwks === null ? '' : JSON.stringify(access.jwks, null, 2),
  keyAddress: access.jwks_uri ?? '',
  mayIntrospect: access.may_introspect,
});

/** Returns the key set of a text; undefined for any other text. */
function parseKeys(text: string): AccessBody['jwks'] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && Object.hasOwn(value, 'keys')
      ? (value as AccessBody['jwks'])
      : undefined;
  } catch {
    return undefined;
  }
}

/** Checks whether the text of the keys can be sent. The host checks the keys. */
export const hasKeySet = ({ keySource, keys }: AccessDraft): boolean =>
  keySource !== 'inline' || parseKeys(keys) !== undefined;

/** Checks whether a draft can be sent. */
export const isCompleteAccess = (draft: AccessDraft): boolean =>
  hasKeySet(draft) &&
  (draft.keySource !== 'address' || draft.keyAddress.trim() !== '') &&
  (draft.scopes === null || draft.scopes.length > 0);

/** Returns the fields of the request that sets the rules. */
export const accessBody = (draft: AccessDraft): AccessBody => ({
  allowed_networks: draft.networks.length === 0 ? null : [...draft.networks],
  scopes: draft.scopes === null ? null : [...draft.scopes],
  jwks: draft.keySource === 'inline' ? (parseKeys(draft.keys) ?? null) : null,
  jwks_uri: draft.keySource === 'address' ? draft.keyAddress.trim() : null,
  may_introspect: draft.mayIntrospect,
});

const areSameKeys = (before: AccessDraft, after: AccessDraft): boolean =>
  before.keySource === after.keySource && before.keys === after.keys && before.keyAddress === after.keyAddress;

const areSameScopes = (before: AccessDraft, after: AccessDraft): boolean =>
  before.scopes === null || after.scopes === null
    ? before.scopes === after.scopes
    : isSameSet(before.scopes, after.scopes);

/** Checks whether two drafts differ. */
export const isOtherAccess = (before: AccessDraft, after: AccessDraft): boolean =>
  !isSameSet(before.networks, after.networks) ||
  !areSameScopes(before, after) ||
  !areSameKeys(before, after) ||
  before.mayIntrospect !== after.mayIntrospect;

/** Losses of a change of the rules, except permissions. */
type AccessLoss = 'keys' | 'networks';

/** Returns what an account loses by a change of the rules, except permissions. */
export function lostAccess(before: AccessDraft, after: AccessDraft): readonly AccessLoss[] {
  const losesNetworks = after.networks.length > 0 && !isSameSet(before.networks, after.networks);
  const losesKeys = before.keySource !== 'none' && !areSameKeys(before, after);
  return [...(losesNetworks ? (['networks'] as const) : []), ...(losesKeys ? (['keys'] as const) : [])];
}

/** Returns the permissions that an account loses by its scopes, by name. `granted` are those of its roles. */
export function lostByScopes(before: AccessDraft, after: AccessDraft, granted: ReadonlySet<string>): readonly string[] {
  const { scopes: kept } = after;
  if (kept === null) return [];
  const held = before.scopes ?? PERMISSION_NAMES;
  return held.filter((name) => granted.has(name) && !kept.includes(name)).sort();
}
