/** Users of one list: the limit of the host for one file. */
export const INVITED_MAX = 500;

/** Reason why a line is left out. */
export type LineFault =
  | { readonly kind: 'no-email' }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'unknown-role'; readonly role: string }
  | { readonly kind: 'repeated'; readonly line: number }
  | { readonly kind: 'exists' }
  /** The host does not accept it. */
  | { readonly kind: 'rejected'; readonly message: string };

/** A line of the list. */
export interface InviteLine {
  /** Number of the line in the pasted text, from 1. */
  readonly line: number;
  /** E-mail address in lower case. Without one: the text of the line. */
  readonly email: string;
  readonly roles: readonly string[];
  readonly fault: LineFault | undefined;
}

interface InviteOptions {
  /** Names of the roles of the tenant. */
  readonly roles: readonly string[];
  /** Roles of a line that names none. */
  readonly defaultRoles: readonly string[];
}

const EMAIL_CHARACTERS_MAX = 320;
/** The rule of the host: no colon, which ends the user name in HTTP Basic, and no white space. */
const EMAIL = /^[^\s@:<>]+@[^\s@:<>]+$/u;
/** Address of `Ann Smith <ann@example.com>`. */
const BRACKETS = /<([^<>]*)>/;
/** Head of a table that was copied with the addresses. */
const HEAD = /^"?e-?mail"?\s*(?:[,;\t]|$)/i;
const SEPARATORS = /[\s,;"]+/;

interface SplitLine {
  readonly email: string;
  readonly roles: readonly string[];
}

/** Splits a line into its address and the roles after it. */
function splitLine(text: string): SplitLine {
  const bracket = BRACKETS.exec(text);
  const [first = '', ...rest] = (
    bracket === null ? text : `${bracket[1]} ${text.slice(bracket.index + bracket[0].length)}`
  )
    .split(SEPARATORS)
    .filter((part) => part !== '');
  return { email: first.normalize('NFC').toLowerCase(), roles: [...new Set(rest)] };
}

/**
 * Reads a list of users: one a line, an e-mail address and the roles after it, separated by spaces, commas, semicolons or tabs, as a mail
 * program or a spreadsheet writes them. Empty lines, and a head such as `email,roles`, are skipped.
 */
export function readInviteLines(text: string, { roles, defaultRoles }: InviteOptions): readonly InviteLine[] {
  const known = new Set(roles);
  const firstLines = new Map<string, number>();
  const found: InviteLine[] = [];
  for (const [index, written] of text.split(/\r\n|\r|\n/).entries()) {
    const line = index + 1;
    const trimmed = written.trim();
    if (trimmed === '' || (found.length === 0 && HEAD.test(trimmed))) continue;
    const { email, roles: named } = splitLine(trimmed);
    if (!EMAIL.test(email)) {
      found.push({ line, email: trimmed, roles: [], fault: { kind: 'no-email' } });
      continue;
    }
    const unknown = named.find((role) => !known.has(role));
    const first = firstLines.get(email);
    if (first === undefined) firstLines.set(email, line);
    const fault: LineFault | undefined =
      [...email].length > EMAIL_CHARACTERS_MAX
        ? { kind: 'too-long' }
        : first !== undefined
          ? { kind: 'repeated', line: first }
          : unknown === undefined
            ? undefined
            : { kind: 'unknown-role', role: unknown };
    found.push({ line, email, roles: named.length === 0 ? defaultRoles : named, fault });
  }
  return found;
}
