/** Longest SQL of a permalink in bytes of UTF-8. */
export const PERMALINK_BYTES_MAX = 32_768;

const KEY = 'sql=';

/** A fragment of an address, or the reason why the SQL has none. */
export type Permalink = { readonly hash: string } | { readonly problem: 'too-long' | 'empty' | 'not-unicode' };

/** SQL of a fragment; undefined: the fragment has none. */
export type OpenedLink = { readonly sql: string } | { readonly problem: 'too-long' | 'empty' | 'damaged' } | undefined;

const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;

/** Writes SQL as the fragment of an address, which browsers never send to a server. */
export function writePermalink(sql: string): Permalink {
  if (sql.trim() === '') return { problem: 'empty' };
  if (!sql.isWellFormed()) return { problem: 'not-unicode' };
  if (utf8Bytes(sql) > PERMALINK_BYTES_MAX) return { problem: 'too-long' };
  return { hash: `#${KEY}${encodeURIComponent(sql)}` };
}

/** Reads the SQL of a fragment such as `#sql=SELECT%201`. The caller shows it and never runs it by itself. */
export function readPermalink(hash: string): OpenedLink {
  const fragment = hash.replace(/^#/, '');
  if (!fragment.startsWith(KEY)) return undefined;
  const encoded = fragment.slice(KEY.length);
  // An encoded byte has at most three characters. A longer link is not decoded at all.
  if (encoded.length > PERMALINK_BYTES_MAX * 3) return { problem: 'too-long' };
  const sql = decode(encoded);
  if (sql === undefined || !sql.isWellFormed()) return { problem: 'damaged' };
  if (sql.trim() === '') return { problem: 'empty' };
  return utf8Bytes(sql) > PERMALINK_BYTES_MAX ? { problem: 'too-long' } : { sql };
}

function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
