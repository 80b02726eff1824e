import { type ItemDraft, newOwnerOf } from './item-draft.ts';

/** Changes of an item that break programs which download it. */
export interface ItemLosses {
  /** Names of queries that it no longer has. */
  readonly removed: readonly string[];
  /** Queries under another name, which is the name of their file too. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** Names of parameters that none of its queries takes any more. A download with one of them is rejected. */
  readonly parameters: readonly string[];
  /** New kind of download: an archive of several files, or a single file. Undefined: as before. */
  readonly becomes: 'archive' | 'file' | undefined;
  /** Owner who loses it to another one. Undefined: the same owner. */
  readonly owner: string | undefined;
}

const parametersOf = ({ queries }: ItemDraft): ReadonlySet<string> =>
  new Set(queries.flatMap(({ parameters }) => parameters));

function becomes(before: ItemDraft, after: ItemDraft): ItemLosses['becomes'] {
  const [was, is] = [before.queries.length > 1, after.queries.length > 1];
  if (was === is) return undefined;
  return is ? 'archive' : 'file';
}

/** Returns what a change of an item takes away from those who download it. */
export function lossesOfItem(before: ItemDraft, after: ItemDraft): ItemLosses {
  const kept = new Set(after.queries.map(({ name }) => name));
  const had = new Set(before.queries.map(({ name }) => name));
  const added = after.queries.filter(({ name }) => !had.has(name));
  const gone = before.queries
    .filter(({ name }) => !kept.has(name))
    .map(({ name, datamapId }) => {
      const at = added.findIndex((each) => each.datamapId === datamapId);
      return { from: name, to: at === -1 ? undefined : added.splice(at, 1)[0]?.name };
    });
  const parameters = parametersOf(after);
  return {
    removed: gone.flatMap(({ from, to }) => (to === undefined ? [from] : [])),
    renamed: gone.flatMap(({ from, to }) => (to === undefined ? [] : [{ from, to }])),
    parameters: [...parametersOf(before)].filter((name) => !parameters.has(name)),
    becomes: becomes(before, after),
    owner: newOwnerOf(before, after) === undefined ? undefined : before.owner,
  };
}

/** Returns whether a change breaks anything. */
export const hasLosses = ({ removed, renamed, parameters, becomes: change, owner }: ItemLosses): boolean =>
  removed.length + renamed.length + parameters.length > 0 || (change ?? owner) !== undefined;
