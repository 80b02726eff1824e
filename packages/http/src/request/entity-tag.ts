import { createHash } from 'node:crypto';
import { ProblemError } from '@sluice/contract';
import type { Reader } from '../model/route.ts';
import type { RouteResponse } from '../model/route-response.ts';

/** Returns the strong validator (RFC 9110 section 8.8.3) of a version. */
export const entityTag = (version: number): string => `"${version}"`;

/** Returns the strong validator of a content that has no version. */
export const contentTag = (content: object): string =>
  `"${createHash('sha256').update(JSON.stringify(content)).digest('base64url')}"`;

/**
 * Returns the strong validator of content when only a part of it has a version. `matchedVersion` returns the version of that part.
 */
export const versionedContentTag = (version: number, content: object): string =>
  `"${version}-${contentTag(content).slice(1)}`;

const TAG = /^"(\d{1,16})(?:-[\w-]+)?"$/;

/**
 * Returns the version in If-Match, or undefined if the header is absent or `*`. A tag of another form matches no version, so it is
 * rejected like an old one. A weak tag never matches (RFC 9110 section 13.1.1).
 * @throws ProblemError `precondition_failed`
 */
export function matchedVersion(headers: Reader): number | undefined {
  const text = headers.get('if-match')?.trim();
  if (text === undefined || text === '*') return undefined;
  const [, version] = TAG.exec(text) ?? [];
  if (version !== undefined) return Number(version);
  throw new ProblemError(
    'precondition_failed',
    'If-Match is not an entity tag of this object. Send the ETag of the last response.',
  );
}

/** Returns whether If-Match is absent, `*`, or lists the entity tag of the current content. A weak tag never matches. */
export function isMatched(headers: Reader, tag: string): boolean {
  const text = headers.get('if-match')?.trim();
  return text === undefined || text === '*' || text.split(',').some((each) => each.trim() === tag);
}

/**
 * Returns 304 if If-None-Match lists the entity tag of the current content, and undefined otherwise. The comparison is weak (RFC 9110
 * section 13.1.2).
 */
export function notModified(headers: Reader, entityTag: string): RouteResponse | undefined {
  const listed = headers.get('if-none-match')?.split(',') ?? [];
  const matches = listed.map((tag) => tag.trim().replace(/^W\//, '')).some((tag) => tag === '*' || tag === entityTag);
  return matches ? { kind: 'body', status: 304, headers: { etag: entityTag, 'cache-control': 'no-store' } } : undefined;
}
