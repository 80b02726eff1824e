import { useSyncExternalStore } from 'react';

/** Path under which the API host serves the console. */
const BASE = '/console';
const CHANGED = 'sluice:navigated';

/** Returns the path below `/console` as pages see it: `/`, `/search`, `/tables/demo`. */
export function pathBelowBase(pathname: string): string {
  const path = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : pathname;
  const trimmed = path.replace(/\/+$/, '');
  return trimmed === '' ? '/' : trimmed;
}

/** Returns the address of a path of the console, for links. */
export const hrefOf = (path: string): string => `${BASE}${path}`;

/** Shows another page of the console without loading anything again. `path` may have a query and a fragment. */
export function navigate(path: string, options: { readonly replaces?: boolean } = {}): void {
  const href = hrefOf(path);
  if (options.replaces === true) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  window.dispatchEvent(new Event(CHANGED));
  // A page that is shown already follows its fragment, as it does that of a link.
  if (location.hash !== '') window.dispatchEvent(new Event('hashchange'));
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('popstate', listener);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener('popstate', listener);
    window.removeEventListener(CHANGED, listener);
  };
}

/** Returns the current path below `/console`, and renders again when it changes. */
export const usePath = (): string => useSyncExternalStore(subscribe, () => pathBelowBase(location.pathname));

/** Returns the query string of the current address (`?q=a`), and renders again when it changes. */
export const useQueryString = (): string => useSyncExternalStore(subscribe, () => location.search);

/**
 * Returns the parameters of a path that matches a pattern (`/tables/:catalog`), percent-decoded, or undefined if it does not match.
 */
export function matchPath(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = decodeSegment(given[index] ?? '');
    if (value === undefined) return undefined;
    if (segment.startsWith(':')) parameters[segment.slice(1)] = value;
    else if (segment !== value) return undefined;
  }
  return parameters;
}

function decodeSegment(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
