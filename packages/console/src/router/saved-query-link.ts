const KEY = 'query=';
/** The id of a datamap is a UUID (RFC 9562). */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Writes the fragment of an address that opens a saved query. */
export const writeSavedQueryLink = (id: string): string => `#${KEY}${id}`;

/** Returns the path that opens a saved query in the editor. */
export const savedQueryPath = (id: string): string => `/${writeSavedQueryLink(id)}`;

/** Reads the id of a saved query from the fragment of an address. Undefined: it names none. */
export function readSavedQueryLink(hash: string): string | undefined {
  const id = hash.startsWith(`#${KEY}`) ? hash.slice(KEY.length + 1) : '';
  return ID.test(id) ? id : undefined;
}
