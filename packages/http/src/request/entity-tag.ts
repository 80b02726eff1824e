import { ProblemError } from '@sluice/contract';
import type { Reader } from '../model/route.ts';

/** A strong validator (RFC 9110 section 8.8.3) of a version that grows with every change. */
export const entityTag = (version: number): string => `"${version}"`;

const TAG = /^"(\d{1,16})"$/;

/**
 * The version that If-Match names; undefined where there is none, or `*`. A tag that no version has matches nothing, so it is refused like an old one; a weak tag never
 * matches (RFC 9110 section 13.1.1).
 * @throws ProblemError `precondition_failed`
 */
export function matchedVersion(headers: Reader): number | undefined {
  const text = headers.get('if-match')?.trim();
  if (text === undefined || text === '*') return undefined;
  const [, version] = TAG.exec(text) ?? [];
  if (version !== undefined) return Number(version);
  throw new ProblemError(
    'precondition_failed',
    'If-Match is none of our entity tags. Send the ETag of the last answer.',
  );
}
