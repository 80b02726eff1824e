import type { InviteLine } from './invite-lines.ts';
import type { LineResult } from './use-invite-several.ts';

type Results = ReadonlyMap<string, LineResult>;

const invitedOf = (lines: readonly InviteLine[], results: Results) =>
  lines.flatMap(({ email, fault }) => {
    const result = fault === undefined ? results.get(email) : undefined;
    return result?.state === 'invited' ? [{ ...result, email }] : [];
  });

/** Returns the links of a list, one a line: an e-mail, a tab and its link, which a spreadsheet pastes into two columns. */
export const linksOf = (lines: readonly InviteLine[], results: Results): string =>
  invitedOf(lines, results)
    .map(({ email, url }) => `${email}\t${url}\n`)
    .join('');

/** A spreadsheet reads a text that begins with one of these characters as a formula. */
const FORMULA = /^[=+\-@]/;

const cell = (text: string): string => `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

/** Returns the links of a list as CSV (RFC 4180). */
export const csvOfLinks = (lines: readonly InviteLine[], results: Results): string =>
  [
    'email,link,valid_until',
    ...invitedOf(lines, results).map(({ email, url, expiresTs }) =>
      [email, url, new Date(expiresTs).toISOString()].map(cell).join(','),
    ),
    '',
  ].join('\r\n');
