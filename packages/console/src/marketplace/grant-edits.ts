import type { StreamOperationTypes } from '@sluice/client';

export type ItemGrant = StreamOperationTypes['getMarketplaceGrants']['result']['grants'][number];

/** Grants that are given and taken back, by recipient. A grant of a recipient who has one replaces it. */
export interface GrantEdits {
  readonly given: Readonly<Record<string, ItemGrant>>;
  readonly removed: readonly string[];
}

export const NO_GRANT_EDITS: GrantEdits = { given: {}, removed: [] };

/** Returns the key of the recipient of a grant, who has one at most. */
export const recipientOf = ({ kind, name }: Pick<ItemGrant, 'kind' | 'name'>): string =>
  `${kind} ${kind === 'user' ? name.toLowerCase() : name}`;

export const endOf = ({ expires_ts: end }: ItemGrant): number => end ?? Number.POSITIVE_INFINITY;

const without = (edits: GrantEdits, key: string): GrantEdits => ({
  given: Object.fromEntries(Object.entries(edits.given).filter(([each]) => each !== key)),
  removed: edits.removed.filter((each) => each !== key),
});

/** A grant as a page lists it. */
export interface ListedGrant {
  readonly grant: ItemGrant;
  /** Unsaved change of the grant. Undefined: none. */
  readonly change: 'new' | 'changed' | 'removed' | undefined;
}

/** Returns the stored grants with what the edits do to them, and then the new ones. */
export function listGrants(stored: readonly ItemGrant[], { given, removed }: GrantEdits): readonly ListedGrant[] {
  const present = new Set(stored.map(recipientOf));
  return [
    ...stored.map((grant): ListedGrant => {
      const key = recipientOf(grant);
      if (removed.includes(key)) return { grant, change: 'removed' };
      const next = given[key];
      return next === undefined ? { grant, change: undefined } : { grant: next, change: 'changed' };
    }),
    ...Object.entries(given).flatMap(([key, grant]): ListedGrant[] =>
      present.has(key) ? [] : [{ grant, change: 'new' }],
    ),
  ];
}

/** Returns the edits without what they do to the grant of a recipient. */
export const undone = (edits: GrantEdits, key: string): GrantEdits => without(edits, key);

/** Returns whether there are edits to save. */
export const hasGrantEdits = ({ given, removed }: GrantEdits): boolean =>
  removed.length + Object.keys(given).length > 0;

/** Returns the edits after a grant was given. */
export function withGrant(edits: GrantEdits, grant: ItemGrant): GrantEdits {
  const key = recipientOf(grant);
  const { given, removed } = without(edits, key);
  return { given: { ...given, [key]: grant }, removed };
}

/** Returns the edits after the grant of a recipient was taken back. */
export function withoutGrant(edits: GrantEdits, stored: readonly ItemGrant[], key: string): GrantEdits {
  const rest = without(edits, key);
  const isStored = stored.some((grant) => recipientOf(grant) === key);
  return isStored ? { ...rest, removed: [...rest.removed, key] } : rest;
}

/** Returns the grants after the edits, those of the item first. */
export function applyGrantEdits(stored: readonly ItemGrant[], { given, removed }: GrantEdits): readonly ItemGrant[] {
  const present = new Set(stored.map(recipientOf));
  return [
    ...stored
      .filter((grant) => !removed.includes(recipientOf(grant)))
      .map((grant) => given[recipientOf(grant)] ?? grant),
    ...Object.entries(given).flatMap(([key, grant]) => (present.has(key) ? [] : [grant])),
  ];
}

/** A grant that the user and somebody else have changed. */
export interface GrantConflict {
  /** Key of the recipient. */
  readonly key: string;
  /** Undefined: taken back. */
  readonly mine: ItemGrant | undefined;
  readonly theirs: ItemGrant | undefined;
}

/** Returns the grants that another user has changed since they were seen, and that the edits change too. */
export function grantConflicts(
  { given, removed }: GrantEdits,
  seen: readonly ItemGrant[],
  current: readonly ItemGrant[],
): readonly GrantConflict[] {
  const byRecipient = (grants: readonly ItemGrant[]) => new Map(grants.map((grant) => [recipientOf(grant), grant]));
  const [before, now] = [byRecipient(seen), byRecipient(current)];
  const end = (grant: ItemGrant | undefined) => grant && endOf(grant);
  return [...Object.keys(given), ...removed].flatMap((key) =>
    end(before.get(key)) === end(now.get(key)) ? [] : [{ key, mine: given[key], theirs: now.get(key) }],
  );
}

/** Returns the grants that the edits take back, and those that they end sooner, unless they have ended before. */
export function lossesOfGrants(
  stored: readonly ItemGrant[],
  edits: GrantEdits,
  nowMs: number,
): { readonly removed: readonly ItemGrant[]; readonly sooner: readonly ItemGrant[] } {
  const valid = stored.filter((grant) => endOf(grant) > nowMs);
  return {
    removed: valid.filter((grant) => edits.removed.includes(recipientOf(grant))),
    sooner: valid.flatMap((grant) => {
      const next = edits.given[recipientOf(grant)];
      return next !== undefined && endOf(next) < endOf(grant) ? [next] : [];
    }),
  };
}
