import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { listOf } from '../fields/list-of.ts';
import { nameFilter, pageFields } from '../fields/page-query.ts';
import { nonBlankText, storableText } from '../fields/text-field.ts';
import { uniqueEntries } from '../fields/unique-entries.ts';
import { INVISIBLE } from '../fields/visible-text.ts';
import { SCOPE_VALUES } from '../identity/permission.ts';
import { isNativeRedirectUri, REDIRECT_URI_CHARACTERS_MAX, redirectUriProblem } from '../identity/redirect-uri.ts';
import { defineOperations, FOR_ADMINS, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import type { ProblemCode } from '../problems/problem.ts';
import { adminParams } from './admin-user.ts';
import { clientIdText } from './service-account.ts';

const NAME_CHARACTERS_MAX = 100;
const HOME_PAGE_CHARACTERS_MAX = 512;
const REDIRECT_URIS_MAX = 20;

/** Ids of the programs that are built in. */
const RESERVED = /^sluice(?:-|$)/i;

const oauthClientId = clientIdText
  .refine((text) => !RESERVED.test(text), 'client_id must not begin with sluice: these ids belong to the product')
  .meta({ not: { pattern: '^([Oo][Pp][Ee][Rr][Aa][Tt][Oo][Rr]|[Ss][Ll][Uu][Ii][Cc][Ee](-.*)?)$' } });

/** Users read the name when they decide, so it cannot look like another one. */
const name = nonBlankText('name', NAME_CHARACTERS_MAX)
  .refine((text) => !INVISIBLE.test(text), 'name must not have control or invisible characters')
  .describe('Name on the page that asks the user for consent');

const redirectUri = storableText('a redirect URI')
  .max(REDIRECT_URI_CHARACTERS_MAX, `a redirect URI must have at most ${REDIRECT_URI_CHARACTERS_MAX} characters`)
  .superRefine((uri, context) => {
    const problem = redirectUriProblem(uri);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: `a redirect URI ${problem}`, input: uri });
  })
  .meta({ pattern: '^[!-"$-)+-\\[\\]-~]+$' });

const redirectUris = listOf(redirectUri, { error: 'redirect_uris must be an array of addresses' })
  .min(1, 'redirect_uris must hold at least one address')
  .max(REDIRECT_URIS_MAX, `redirect_uris must hold at most ${REDIRECT_URIS_MAX}`)
  .superRefine(uniqueEntries('redirect_uris', { keyOf: (uri) => uri }))
  .meta({ uniqueItems: true })
  .describe(
    'Addresses to which codes are sent, compared exactly: https, or for a public program http://127.0.0.1 and http://[::1] with any port, or a scheme of its own such as com.example.app:/callback (RFC 8252)',
  );

const scopes = listOf(z.enum(SCOPE_VALUES, { error: `a scope must be one of ${SCOPE_VALUES.join(', ')}` }), {
  error: 'scopes must be an array of scopes, or null',
})
  .min(1, 'scopes must hold at least one; null for no limit')
  .max(SCOPE_VALUES.length, `scopes must hold at most ${SCOPE_VALUES.length}`)
  .superRefine(uniqueEntries('scopes', { keyOf: (scope) => scope }))
  .meta({ uniqueItems: true })
  .nullable()
  .describe('Scopes that the program may get. Null: all');

const homePage = nonBlankText('home_page', HOME_PAGE_CHARACTERS_MAX)
  .refine(
    (text) => /^https:\/\/[!-~]+$/.test(text) && !/[\\@]/.test(text) && URL.canParse(text),
    'home_page must be an https address, or null',
  )
  .meta({ format: 'uri', pattern: '^https://[!-?A-\\[\\]-~]+$' })
  .nullable()
  .describe('Page of the program, which the consent page links to. Null: none');

const CONFIDENTIAL_REDIRECTS =
  'redirect_uris of a confidential program must use https: a program on the device of a user can keep no secret (RFC 8252 section 8.4)';

/** Checks that only https leads to a program with a secret. */
export const isAllowedForType = ({
  type,
  redirect_uris,
}: {
  readonly type: string;
  readonly redirect_uris: readonly string[];
}): boolean => type === 'public' || !redirect_uris.some(isNativeRedirectUri);

const type = z
  .enum(['public', 'confidential'], { error: 'type must be public or confidential' })
  .describe('`confidential`: a server that keeps a secret. It cannot be changed');

export const oauthClientFields = {
  client_id: oauthClientId,
  name,
  type,
  redirect_uris: redirectUris,
  scopes: scopes.optional(),
  home_page: homePage.optional(),
};

/** Issue of `redirect_uris` for `refine`. */
export const redirectsOfType = { message: CONFIDENTIAL_REDIRECTS, path: ['redirect_uris'] };

const oauthClientBody = z
  .strictObject(oauthClientFields)
  .refine(isAllowedForType, redirectsOfType)
  .meta({ id: 'OAuthClientRequest' });

const oauthClientChangeBody = z
  .strictObject({
    name: name.optional(),
    redirect_uris: redirectUris.optional(),
    scopes: scopes.optional(),
    home_page: homePage.optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'send at least one field')
  .meta({ id: 'OAuthClientChange', minProperties: 1 });
export type OAuthClientChange = z.infer<typeof oauthClientChangeBody>;

const oauthClientsQuery = z.strictObject({
  q: nameFilter.describe('Part of the client id or the name; case is ignored'),
  ...pageFields,
});

const oauthClient = z
  .object({
    id: z.string(),
    client_id: z.string(),
    name: z.string(),
    type,
    redirect_uris: z.array(z.string()),
    scopes: z.array(z.string()).nullable(),
    home_page: z.string().nullable(),
    session_count: z.int().min(0).describe('Open sessions of users with this program'),
    created_ts: epochMs,
    updated_ts: epochMs,
    updated_by: z.string().nullable(),
  })
  .meta({ id: 'OAuthClient' });
export type OAuthClientRecord = z.infer<typeof oauthClient>;

const oauthClients = z
  .object({ total: z.int().min(0), data: z.array(oauthClient).describe('Sorted by client id') })
  .meta({ id: 'OAuthClients' });

const secret = z.string().nullable().describe('Shown once. Null for a public program');
const oauthClientWithSecret = z
  .object({ ...oauthClient.shape, client_secret: secret })
  .meta({ id: 'OAuthClientWithSecret' });

const GUARDED: readonly ProblemCode[] = ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'];
const one = (description: string) => jsonResponse(description, oauthClient);

/** Programs that users of the caller's tenant can let log in (RFC 6749 section 2). */
export const oauthClientOperations = defineOperations('administration', FOR_ADMINS, {
  listOAuthClients: {
    endpoint: 'GET /admin/oauth-clients',
    summary: 'List the registered programs of the tenant, sorted by client id',
    query: oauthClientsQuery,
    responses: { 200: jsonResponse('Programs', oauthClients) },
    problems: ['audit_unavailable'],
  },
  createOAuthClient: {
    endpoint: 'POST /admin/oauth-clients',
    summary: 'Register a program that users can let log in by OAuth',
    body: jsonBody(oauthClientBody),
    responses: { 201: jsonResponse('The program, and its secret if it is confidential', oauthClientWithSecret) },
    problems: ['conflict', 'audit_unavailable'],
  },
  getOAuthClient: {
    endpoint: 'GET /admin/oauth-clients/{id}',
    summary: 'Get a registered program',
    params: adminParams,
    responses: { 200: one('The program') },
    problems: ['not_found', 'audit_unavailable'],
  },
  updateOAuthClient: {
    endpoint: 'PUT /admin/oauth-clients/{id}',
    summary:
      'Change a registered program. Absent fields keep their value; sessions beyond its new scopes end; If-Match prevents lost updates',
    params: adminParams,
    body: jsonBody(oauthClientChangeBody),
    responses: { 200: one('The changed program') },
    problems: GUARDED,
  },
  deleteOAuthClient: {
    endpoint: 'DELETE /admin/oauth-clients/{id}',
    summary: 'Remove a program with its sessions and consents; If-Match prevents lost updates',
    params: adminParams,
    responses: { 204: { description: 'Removed' } },
    problems: GUARDED,
  },
  replaceOAuthClientSecret: {
    endpoint: 'POST /admin/oauth-clients/{id}/secret',
    summary: 'Replace the secret of a confidential program. The old secret is invalid at once; sessions go on',
    params: adminParams,
    responses: { 200: jsonResponse('The program and its new secret', oauthClientWithSecret) },
    problems: GUARDED,
  },
});
