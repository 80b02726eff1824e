/** Browsers remove these segments of a path, encoded or not. */
const REMOVED_SEGMENTS: ReadonlySet<string> = new Set(['.', '..']);

/**
 * Returns the path of the page of all catalogs, of a catalog, a schema, or a table or view, by the names on the way to it. Undefined: one
 * of the names cannot be in an address.
 */
export function catalogPath(...names: readonly string[]): string | undefined {
  if (names.some((name) => name === '' || REMOVED_SEGMENTS.has(name) || !name.isWellFormed())) return undefined;
  return ['/tables', ...names.map(encodeURIComponent)].join('/');
}

/** Returns the path of the page of a datamap. */
export const datamapPath = (id: string): string => `/datamaps/${encodeURIComponent(id)}`;

/** Path of the page with all domains. */
export const DOMAINS_PATH = '/domains';

/** Returns the path of the page of a domain. */
export const domainPath = (id: string): string => `${DOMAINS_PATH}/${encodeURIComponent(id)}`;

/** Returns the path of the page of a marketplace item. */
export const itemPath = (id: string): string => `/marketplace/${encodeURIComponent(id)}`;

/** Returns the path of the page on which the owner of a marketplace item changes it. */
export const itemEditPath = (id: string): string => `${itemPath(id)}/edit`;

/** Path of the page on which an owner creates a marketplace item. Ids of items have no capitals. */
export const NEW_ITEM_PATH = '/marketplace/NEW';

/** Returns the path of the page of a kept result, which is also the link for those with whom it is shared. */
export const resultPath = (queryId: string): string => `/results/${encodeURIComponent(queryId)}`;
