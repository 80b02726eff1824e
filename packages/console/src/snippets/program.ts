import { INVISIBLE } from '@sluice/contract/visible-text';

/** Programs that a user can copy, in the order of menus. */
export const PROGRAMS = ['curl', 'cli', 'python', 'sdk'] as const;
export type Program = (typeof PROGRAMS)[number];

/** Hosts, tenant and account that a program needs. */
export interface ProgramAccess {
  readonly tenant: string;
  readonly apiUrl: string;
  readonly streamUrl: string;
  /** E-mail of the user. A password or token is never part of a program. */
  readonly user: string;
}

/**
 * Says how the program proves who the user is. Users of single sign-on have no password that a program could send, but their login shows a
 * token when it is not asked to lead back to a page.
 */
const accessComment = (mark: '#' | '//', { apiUrl, tenant }: ProgramAccess, otherwise: string): string =>
  `${mark} With single sign-on: SLUICE_TOKEN is the access_token of ${apiUrl}/auth/login/${encodeURIComponent(tenant)}. Without it, ${otherwise}.`;

/** One word of a shell, which is a header with the token, or makes curl ask for the password. */
const CURL_ACCESS = `"\${SLUICE_TOKEN:+-Hauthorization: Bearer }\${SLUICE_TOKEN:--u$SLUICE_USER}"`;

/**
 * Writes a call of curl, which fails if the file is cut.
 * @param lines - further arguments, with quotes
 */
export const writeCurl = (access: ProgramAccess, lines: readonly string[]): string =>
  [
    accessComment('#', access, 'curl asks for your password'),
    `SLUICE_USER=${quoteShell(access.user)}`,
    [`curl -sS --fail-with-body ${CURL_ACCESS}`, ...lines].join(' \\\n  '),
    '',
  ].join('\n');

/**
 * Writes a request in Python, which needs `base64`, `getpass`, `os` and `urllib.request`.
 * @param json - expression of the body. Absent: the request is a GET
 */
export const writePythonRequest = (access: ProgramAccess, url: string, json?: string): string =>
  [
    accessComment('#', access, 'the program asks for your password'),
    'token = os.environ.get("SLUICE_TOKEN")',
    `user = ${quoteJson(access.user)}`,
    'basic = "" if token else base64.b64encode(f"{user}:{getpass.getpass()}".encode()).decode()',
    'request = urllib.request.Request(',
    `    ${quoteJson(url)},`,
    ...(json === undefined ? [] : [`    data=${json},`]),
    '    headers={',
    '        "authorization": f"Bearer {token}" if token else f"Basic {basic}",',
    ...(json === undefined ? [] : ['        "content-type": "application/json",']),
    '    },',
    ')',
  ].join('\n');

/** Writes a client of the SDK. */
export const writeSdkClient = (access: ProgramAccess): string =>
  [
    accessComment('//', access, 'your password is SLUICE_PASSWORD'),
    'const { SLUICE_TOKEN: token, SLUICE_PASSWORD: password } = process.env;',
    'const client = createClient({',
    `  tenant: ${quoteJson(access.tenant)},`,
    `  apiUrl: ${quoteJson(access.apiUrl)},`,
    `  streamUrl: ${quoteJson(access.streamUrl)},`,
    `  auth: token ? { token: () => token } : { email: ${quoteJson(access.user)}, password },`,
    '});',
  ].join('\n');

/** Returns a string as one word of a shell, without quotes where it needs none. */
export const shellWord = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quoteShell(text));

/**
 * Characters that a terminal obeys, or that move or hide what is around them. A program that is pasted must not have them, apart from
 * line ends, tabs, and tag characters, for which JSON and Python have no escape in common.
 */
const HIDDEN = new RegExp(String.raw`(?![\n\t\u{e0000}-\u{e007f}])${INVISIBLE.source}`, 'gu');

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** Quotes a string as a literal of JSON, JavaScript and Python. */
export const quoteJson = (text: string): string =>
  JSON.stringify(text).replace(HIDDEN, (character) => `\\u${hex(character.charCodeAt(0), 4)}`);

/** Writes a string, or an array of strings, as `quoteJson` does. */
export const quoteValue = (value: string | readonly string[]): string =>
  typeof value === 'string' ? quoteJson(value) : `[${value.map(quoteJson).join(', ')}]`;

/** Returns a string as one word of bash. */
export function quoteShell(text: string): string {
  if (text.search(HIDDEN) === -1) return `'${text.replaceAll("'", `'\\''`)}'`;
  // Bytes do not depend on the language of the shell, as \u does.
  const bytesOf = (character: string): string =>
    [...new TextEncoder().encode(character)].map((byte) => `\\x${hex(byte, 2)}`).join('');
  return `$'${text.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n').replace(HIDDEN, bytesOf)}'`;
}
