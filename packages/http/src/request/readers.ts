import type { Request } from 'express';
import type { Reader } from '../model/route.ts';

export const headerReader = (req: Request): Reader => ({ get: (name) => req.get(name) });

/** Reads cookies (RFC 6265 section 4.2). The first of two with the same name wins: browsers send the narrower path first. */
export function cookieReader(req: Request): Reader {
  const cookies = new Map<string, string>();
  for (const pair of (req.get('cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals).trim();
    if (equals > 0 && !cookies.has(name)) {
      cookies.set(
        name,
        pair
          .slice(equals + 1)
          .trim()
          .replace(/^"(.*)"$/, '$1'),
      );
    }
  }
  return { get: (name) => cookies.get(name) };
}
