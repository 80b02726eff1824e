import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { listOf } from '../fields/list-of.ts';
import { nonBlankText } from '../fields/text-field.ts';
import { uniqueEntries } from '../fields/unique-entries.ts';
import { defineOperations, FOR_ADMINS, jsonResponse } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import { roleNames } from './admin-role.ts';

const ADDRESS_CHARACTERS_MAX = 2048;
const NAME_CHARACTERS_MAX = 256;
const SECRET_CHARACTERS_MAX = 1024;
const SCOPES_MAX = 20;
const MAPPINGS_MAX = 200;
const RETURN_TO_MAX = 50;

const text = (name: string, charactersMax = NAME_CHARACTERS_MAX) => nonBlankText(name, charactersMax);

/** URL parsers drop or encode whitespace and control characters, so two strings would be the same address. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression rejects control characters
const DECEPTIVE = /[\u0000-\u0020\u007f\\]/;

const isAddress = (value: string): boolean =>
  !DECEPTIVE.test(value) && /^https?:\/\/[^/]/.test(value) && URL.canParse(value);

const issuer = text('issuer', ADDRESS_CHARACTERS_MAX)
  .refine(
    (value) => isAddress(value) && !/[?#]/.test(value),
    'issuer must be an https address without query and fragment',
  )
  .meta({
    format: 'uri',
    pattern: '^https?://[^/\\\\?#\\s\\u0000-\\u0020\\u007f][^\\\\?#\\s\\u0000-\\u0020\\u007f]*$',
  });

const returnTo = text('a return_to address', ADDRESS_CHARACTERS_MAX)
  .refine(
    (value) => isAddress(value) && !/#/.test(value) && new URL(value).username === '',
    'a return_to address must be an http(s) address without credentials and fragment',
  )
  .meta({
    format: 'uri',
    pattern: '^https?://[^/@\\\\#\\s\\u0000-\\u0020\\u007f][^@\\\\#\\s\\u0000-\\u0020\\u007f]*$',
  });

/** RFC 6749 section 3.3. */
const scope = z
  .string({ error: 'a scope must be a string' })
  .regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/, 'a scope must be 1 to 128 of printable ASCII without space, " and \\');

const roleMapping = z.strictObject({
  value: text('value').describe('Name of a group, compared exactly'),
  roles: roleNames.describe('Roles of the members'),
});

const claimName = (name: string) => text(name).describe('Name of a claim, or a path with dots');

/** Applies from the next login of each user. An absent field has its default, except the secret. */
export const identityProviderBody = z
  .strictObject({
    issuer: issuer.describe('Exactly as in the discovery document and the ID tokens'),
    client_id: text('client_id'),
    client_secret: text('client_secret', SECRET_CHARACTERS_MAX)
      .nullable()
      .optional()
      .describe('Never returned. Absent: the stored secret of the same issuer and client. Null: a public client'),
    scopes: listOf(scope, { error: 'scopes must be an array of scopes' })
      .max(SCOPES_MAX, `scopes must hold at most ${SCOPES_MAX}`)
      .refine((scopes) => scopes.includes('openid'), 'scopes must hold openid')
      .superRefine(uniqueEntries('scopes', { keyOf: (scope) => scope }))
      .meta({ uniqueItems: true, contains: { const: 'openid' } })
      .optional()
      .describe('Default: openid, profile, email'),
    email_claim: claimName('email_claim').optional().describe('Claim that contains the e-mail. Default: email'),
    groups_claim: claimName('groups_claim')
      .nullable()
      .optional()
      .describe('Claim that lists the groups. Default: none'),
    role_mappings: listOf(roleMapping, { error: 'role_mappings must be an array of objects' })
      .max(MAPPINGS_MAX, `role_mappings must hold at most ${MAPPINGS_MAX}`)
      .superRefine(uniqueEntries('role_mappings', { keyOf: ({ value }) => value }))
      .optional()
      .describe('Roles by group, set at every login. Default: none; admins assign the roles'),
    trust_email: z
      .boolean({ error: 'trust_email must be true or false' })
      .optional()
      .describe('Treats an e-mail as verified although email_verified is not true. Default: false'),
    create_users: z
      .boolean({ error: 'create_users must be true or false' })
      .optional()
      .describe('Creates an unknown person as a user at the first login. Default: false'),
    return_to: listOf(returnTo, { error: 'return_to must be an array of addresses' })
      .max(RETURN_TO_MAX, `return_to must hold at most ${RETURN_TO_MAX}`)
      .optional()
      .describe('Addresses allowed as return_to, in addition to paths of this host and addresses of allowed origins'),
  })
  .refine(({ role_mappings: mappings = [], groups_claim: claim }) => mappings.length === 0 || claim != null, {
    message: 'role_mappings need a groups_claim',
    path: ['groups_claim'],
  })
  .meta({ id: 'IdentityProviderRequest' });
export type IdentityProviderRequest = z.infer<typeof identityProviderBody>;

/** Address at which a browser makes one test login. */
const testLogin = z
  .object({
    url: z.string().describe('Address for a browser. It works once'),
    expires_ts: epochMs,
  })
  .meta({ id: 'TestLogin' });

export const identityProvider = z
  .object({
    issuer: z.string(),
    client_id: z.string(),
    has_client_secret: z.boolean(),
    scopes: z.array(z.string()),
    email_claim: z.string(),
    groups_claim: z.string().nullable(),
    role_mappings: z.array(z.object({ value: z.string(), roles: z.array(z.string()) })),
    trust_email: z.boolean(),
    create_users: z.boolean(),
    return_to: z.array(z.string()),
    callback_url: z.string().describe('Redirect URI to register at the identity provider'),
    updated_ts: epochMs,
    updated_by: z.string(),
  })
  .meta({ id: 'IdentityProvider' });
export type IdentityProviderRecord = z.infer<typeof identityProvider>;

/** 200 mappings with 100 roles each. */
const PROVIDER_VALUES_MAX = 25_000;

const one = (description: string) => jsonResponse(description, identityProvider);

/** Identity provider of the caller's tenant. */
export const identityProviderOperations = defineOperations('administration', FOR_ADMINS, {
  getIdentityProvider: {
    endpoint: 'GET /admin/identity-provider',
    summary: 'Get the identity provider of the tenant, without its secret',
    responses: { 200: one('The identity provider') },
    problems: ['not_found', 'audit_unavailable'],
  },
  putIdentityProvider: {
    endpoint: 'PUT /admin/identity-provider',
    summary: 'Replace the identity provider after its discovery document was fetched; If-Match prevents lost updates',
    body: jsonBody(identityProviderBody, { valuesMax: PROVIDER_VALUES_MAX }),
    responses: { 200: one('The identity provider') },
    problems: ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'],
  },
  deleteIdentityProvider: {
    endpoint: 'DELETE /admin/identity-provider',
    summary: 'Delete the identity provider; only password login remains. If-Match prevents lost updates',
    responses: { 204: { description: 'Deleted' } },
    problems: ['not_found', 'conflict', 'precondition_failed', 'audit_unavailable'],
  },
  testIdentityProvider: {
    endpoint: 'POST /admin/identity-provider/test-login',
    summary:
      'Get an address at which a browser logs in at the identity provider and sees the received claims and the roles they give. It signs no user in and changes nothing',
    responses: { 201: jsonResponse('Where the login begins', testLogin) },
    problems: ['not_found', 'audit_unavailable'],
  },
});
