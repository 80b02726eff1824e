import { redirectUriProblem } from '@sluice/contract';
import { INVISIBLE } from '@sluice/contract/visible-text';
import { isLoopbackHost } from '../oidc-client/private-address.ts';
import { hostOf } from '../oidc-client/private-hosts.ts';
import type { OAuthClient } from './oauth-clients.ts';

/** Characters of a client id that is an address. */
const ID_CHARACTERS_MAX = 320;
const NAME_CHARACTERS_MAX = 100;
const REDIRECT_URIS_MAX = 20;
const HOME_PAGE_CHARACTERS_MAX = 512;

/** A document that cannot describe a client. The message is for the developer of the program. */
export class InvalidClientDocument extends Error {}

/**
 * Checks whether a client id is the address of a metadata document (draft-ietf-oauth-client-id-metadata-document section 3): https, with a
 * path and without dot segments, fragment and user information, as browsers write it. `http:` is left to the outgoing fetch, which allows it
 * for listed loopback hosts only.
 */
export function isDocumentId(clientId: string): boolean {
  if (clientId.length > ID_CHARACTERS_MAX || !/^https?:\/\//.test(clientId) || !URL.canParse(clientId)) return false;
  const url = new URL(clientId);
  const isSecure = url.protocol === 'https:' || isLoopbackHost(hostOf(url));
  // Normalising removes dot segments, and lowers the case of the host.
  return (
    isSecure &&
    url.href === clientId &&
    url.pathname !== '/' &&
    url.hash === '' &&
    !clientId.includes('@') &&
    !clientId.includes('#')
  );
}

/** Client of a document that is not read, for requests that need its id only. */
export const documentClient = (id: string): OAuthClient => ({
  id,
  kind: 'document',
  name: id,
  redirectUris: [],
  scopes: undefined,
});

const textOf = (document: object, name: string): unknown => (document as Record<string, unknown>)[name];

const isListOf = (value: unknown, wanted: string): boolean => Array.isArray(value) && value.includes(wanted);

function requireUsable(document: object, id: string): void {
  if (textOf(document, 'client_id') !== id) throw new InvalidClientDocument('its client_id is not its own address');
  if (textOf(document, 'client_secret') !== undefined || textOf(document, 'client_secret_expires_at') !== undefined)
    throw new InvalidClientDocument('it has a client_secret');
  const method = textOf(document, 'token_endpoint_auth_method') ?? 'none';
  if (method !== 'none') throw new InvalidClientDocument('its token_endpoint_auth_method is not none');
  if (!isListOf(textOf(document, 'grant_types') ?? ['authorization_code'], 'authorization_code'))
    throw new InvalidClientDocument('its grant_types do not have authorization_code');
  if (!isListOf(textOf(document, 'response_types') ?? ['code'], 'code'))
    throw new InvalidClientDocument('its response_types do not have code');
}

/** Addresses that no registered program could have are left out: a document may list more for other servers. */
function redirectUrisOf(document: object): readonly string[] {
  const listed = textOf(document, 'redirect_uris');
  if (!Array.isArray(listed) || listed.length > REDIRECT_URIS_MAX)
    throw new InvalidClientDocument(`its redirect_uris are not a list of at most ${REDIRECT_URIS_MAX} addresses`);
  const usable = listed.filter(
    (uri): uri is string => typeof uri === 'string' && redirectUriProblem(uri) === undefined,
  );
  if (usable.length > 0) return usable;
  throw new InvalidClientDocument(
    'none of its redirect_uris can be used: https, http on 127.0.0.1 and [::1], or a scheme with a dot',
  );
}

function nameOf(document: object, id: string): string {
  const name = textOf(document, 'client_name') ?? new URL(id).host;
  const isName =
    typeof name === 'string' && name.trim() !== '' && name.length <= NAME_CHARACTERS_MAX && !INVISIBLE.test(name);
  if (isName) return name;
  throw new InvalidClientDocument(`its client_name is not a text of 1 to ${NAME_CHARACTERS_MAX} visible characters`);
}

function homePageOf(document: object): string | undefined {
  const page = textOf(document, 'client_uri');
  const isAddress =
    typeof page === 'string' &&
    page.length <= HOME_PAGE_CHARACTERS_MAX &&
    // A reader takes `https://known.example@other.example` for an address of the first one.
    /^https:\/\/[!-~]+$/.test(page) &&
    !/[\\@]/.test(page) &&
    URL.canParse(page);
  return isAddress ? page : undefined;
}

/** Reads the client of a document (RFC 7591 section 2). Throws `InvalidClientDocument`. */
export function readClientDocument(id: string, document: unknown): OAuthClient {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new InvalidClientDocument('it is not a JSON object');
  requireUsable(document, id);
  return {
    ...documentClient(id),
    name: nameOf(document, id),
    homePage: homePageOf(document),
    redirectUris: redirectUrisOf(document),
  };
}
