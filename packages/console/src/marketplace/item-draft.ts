import type { StreamOperationTypes } from '@sluice/client';
import type { MarketItem } from './access-state.ts';

type ItemContent = StreamOperationTypes['updateMarketplaceItem']['body'];

/** A query of an item: a datamap under a name. */
export interface DraftQuery {
  readonly name: string;
  readonly datamapId: string;
  /** Names of the parameters that the datamap declares. */
  readonly parameters: readonly string[];
  /** An item can be stored only while all of its datamaps are published. */
  readonly isPublished: boolean;
}

/** An item as its owner has it in the form. */
export interface ItemDraft {
  /** Version of the item that the owner saw. 0: a new item. */
  readonly version: number;
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** Ids of domains. */
  readonly domains: readonly string[];
  readonly license: string;
  /** Markdown. */
  readonly termsOfUse: string;
  /** E-mail or client id. Empty: who creates the item. */
  readonly owner: string;
  readonly queries: readonly DraftQuery[];
}

export const NEW_ITEM: ItemDraft = {
  version: 0,
  id: '',
  title: '',
  description: '',
  tags: [],
  domains: [],
  license: '',
  termsOfUse: '',
  owner: '',
  queries: [],
};

const ITEM_ID = /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/;

/** Returns the draft with which the form of an item begins. */
export const draftOfItem = ({
  version,
  id,
  title,
  description,
  tags,
  domains,
  license,
  terms_of_use: termsOfUse,
  owner,
  queries,
}: MarketItem): ItemDraft => ({
  version,
  id,
  title,
  description: description ?? '',
  tags,
  domains,
  license: license ?? '',
  termsOfUse: termsOfUse ?? '',
  owner,
  queries: queries.map(({ name, datamap_id: datamapId, parameters, is_published: isPublished }) => ({
    name,
    datamapId,
    parameters: parameters.map((parameter) => parameter.name),
    isPublished,
  })),
});

/** Returns the body of a request that stores a draft. */
export const contentOfDraft = (draft: ItemDraft): ItemContent => ({
  title: draft.title,
  description: draft.description,
  tags: [...draft.tags],
  domains: [...draft.domains],
  license: draft.license,
  terms_of_use: draft.termsOfUse,
  queries: draft.queries.map(({ name, datamapId }) => ({ name, datamap_id: datamapId })),
});

/** Returns the owner that a draft names anew. Undefined: the same as before. */
export const newOwnerOf = (stored: ItemDraft, draft: ItemDraft): string | undefined => {
  const owner = draft.owner.trim();
  return owner === stored.owner ? undefined : owner;
};

/** Mistake in a draft, by the key of its message. The host checks the draft again. */
export type DraftProblem = 'id' | 'title' | 'owner' | 'queries' | 'name' | 'same-name' | 'not-published';

/** Returns what the owner must change before the draft can be stored. */
export function problemsOfDraft({ version, id, title, owner, queries }: ItemDraft): readonly DraftProblem[] {
  const names = queries.map(({ name }) => name.trim().normalize('NFC').toLowerCase());
  return [
    ...(ITEM_ID.test(id) ? [] : (['id'] as const)),
    ...(title.trim() === '' ? (['title'] as const) : []),
    ...(version > 0 && owner.trim() === '' ? (['owner'] as const) : []),
    ...(queries.length === 0 ? (['queries'] as const) : []),
    ...(names.includes('') ? (['name'] as const) : []),
    ...(new Set(names).size < names.length ? (['same-name'] as const) : []),
    ...(queries.every(({ isPublished }) => isPublished) ? [] : (['not-published'] as const)),
  ];
}

/** Returns an id for an item with a title: `Flights of 2026` becomes `flights-of-2026`. */
export const idOfTitle = (title: string): string =>
  title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
    .replaceAll(/-+$/g, '');

/** Returns whether two drafts have the same content. */
export const isSameDraft = (one: ItemDraft, other: ItemDraft): boolean =>
  JSON.stringify([contentOfDraft(one), one.owner]) === JSON.stringify([contentOfDraft(other), other.owner]);
