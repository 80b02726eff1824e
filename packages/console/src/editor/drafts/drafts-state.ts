import type { Draft, StorageFailure } from './draft.ts';

/** Tabs with their drafts. Replaced, never changed. */
export interface DraftsState {
  readonly isLoaded: boolean;
  /** Open tabs in order. */
  readonly open: readonly Draft[];
  readonly activeId: string | undefined;
  /** Closed tabs that can be opened again, the last one first. */
  readonly closed: readonly Draft[];
  readonly saving: 'saved' | 'unsaved' | StorageFailure;
}

/** The tabs that a change concerns. */
export type Tabs = Pick<DraftsState, 'open' | 'activeId' | 'closed'>;

const CLOSED_MAX = 50;

export const NO_DRAFTS: DraftsState = { isLoaded: false, open: [], activeId: undefined, closed: [], saving: 'saved' };

export const findDraft = ({ open, closed }: Tabs, id: string): Draft | undefined =>
  open.find((draft) => draft.id === id) ?? closed.find((draft) => draft.id === id);

/** Returns the order of a tab behind all open ones. */
export const nextOrder = ({ open }: Tabs): number => open.reduce((most, { order }) => Math.max(most, order), 0) + 1;

/** Sorts stored drafts into open and closed ones. `forgotten` has the ids of those that were closed too long ago to be listed. */
export function sortDrafts(stored: readonly Draft[]): Pick<Tabs, 'open' | 'closed'> & { forgotten: readonly string[] } {
  const open = stored.filter(({ closedMs }) => closedMs === null).sort(byOrder);
  const closed = stored.filter(({ closedMs }) => closedMs !== null);
  closed.sort((a, b) => (b.closedMs ?? 0) - (a.closedMs ?? 0));
  return { open, closed: closed.slice(0, CLOSED_MAX), forgotten: closed.slice(CLOSED_MAX).map(({ id }) => id) };
}

/** Closes a tab; its neighbour is shown instead of it. Returns undefined if it is not open. */
export function closeDraft({ open, activeId, closed }: Tabs, id: string, closedMs: number): Tabs | undefined {
  const index = open.findIndex((draft) => draft.id === id);
  const draft = open[index];
  if (draft === undefined) return undefined;
  const others = open.filter((each) => each.id !== id);
  return {
    open: others,
    activeId: activeId === id ? (others[index] ?? others[index - 1])?.id : activeId,
    closed: [{ ...draft, closedMs }, ...closed],
  };
}

/** Opens the tab that was closed last, behind the others, and shows it. Returns undefined if no tab was closed. */
export function reopenDraft(tabs: Tabs): Tabs | undefined {
  const [draft, ...closed] = tabs.closed;
  if (draft === undefined) return undefined;
  const reopened = { ...draft, closedMs: null, order: nextOrder(tabs) };
  return { closed, open: [...tabs.open, reopened], activeId: draft.id };
}

/** Puts a draft as stored into the list to which it belongs. */
export function putDraft(tabs: Tabs, stored: Draft): Tabs {
  const isOther = ({ id }: Draft): boolean => id !== stored.id;
  const [open, closed] = [tabs.open.filter(isOther), tabs.closed.filter(isOther)];
  if (stored.closedMs === null) return { ...tabs, open: [...open, stored].sort(byOrder), closed };
  const activeId = tabs.activeId === stored.id ? open.at(-1)?.id : tabs.activeId;
  return { open, closed: [stored, ...closed], activeId };
}

/** Replaces a draft where it is. */
export function replaceDraft({ open, activeId, closed }: Tabs, draft: Draft): Tabs {
  const swap = (each: Draft): Draft => (each.id === draft.id ? draft : each);
  return { open: open.map(swap), activeId, closed: closed.map(swap) };
}

const byOrder = (a: Draft, b: Draft): number => a.order - b.order;
