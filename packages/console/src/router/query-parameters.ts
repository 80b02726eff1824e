import { navigate, usePath, useQueryString } from './router.ts';

/** Largest position that the host accepts. */
const FROM_MAX = 999_999_999;

/** Returns a text of a query string without what the host rejects. Undefined: absent or empty. */
export const readText = (values: URLSearchParams, name: string): string | undefined =>
  values.get(name)?.toWellFormed().replaceAll('\0', '') || undefined;

/** Returns the position of the first entry of a page of a list, from 0. */
export function readFrom(values: URLSearchParams): number {
  const from = Number(values.get('from') ?? 0);
  return Number.isInteger(from) && from > 0 && from <= FROM_MAX ? from : 0;
}

type Changes = Readonly<Record<string, string | number | undefined>>;

/** Returns a query string (`a=1`) with changed parameters. Undefined, an empty text and 0 remove one. */
export function withParameters(queryString: string, changes: Changes): string {
  const values = new URLSearchParams(queryString);
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === '' || value === 0) values.delete(name);
    else values.set(name, String(value));
  return values.toString();
}

/** State of a list in the address of its page. A reload and "Back" keep it. */
export interface ListState {
  /** Text to search for. */
  readonly searchText: string;
  /** Position of the first entry of the page, from 0. */
  readonly from: number;
  readonly text: (name: string) => string | undefined;
  /** Searches with other words or filters, from the first entry on. Typing does not add to the history of the browser. */
  readonly search: (changes: Changes) => void;
  readonly move: (from: number) => void;
}

/** Returns the search and the position of a list, which are in the address of its page. */
export function useListState(): ListState {
  const path = usePath();
  const queryString = useQueryString();
  const values = new URLSearchParams(queryString);
  const set = (changes: Changes, replaces: boolean): void => {
    const next = withParameters(queryString, changes);
    if (next !== withParameters(queryString, {})) navigate(next === '' ? path : `${path}?${next}`, { replaces });
  };
  return {
    searchText: readText(values, 'q') ?? '',
    from: readFrom(values),
    text: (name) => readText(values, name),
    search: (changes) => set({ ...changes, from: undefined }, true),
    move: (from) => set({ from }, false),
  };
}
