import { z } from 'zod';
import { listOf } from '../fields/list-of.ts';
import { boundedText, nonBlankText } from '../fields/text-field.ts';
import { uniqueEntries } from '../fields/unique-entries.ts';
import { permissionList } from './admin-role.ts';

const NETWORKS_MAX = 50;
const KEYS_MAX = 10;
const KEY_ID_CHARACTERS_MAX = 256;
const ADDRESS_CHARACTERS_MAX = 2048;

/** Algorithms of client assertions (RFC 7523). None is symmetric: a client keeps its key to itself. */
export const ASSERTION_ALGORITHMS = ['ES256', 'RS256', 'PS256', 'EdDSA'] as const;

const NETWORK_MESSAGE = 'a network must be an address or a CIDR block such as 203.0.113.0/24 or 2001:db8::/32';
/** An IPv4 address in the form of IPv6 (RFC 4291 section 2.5.5.2). Clients that connect from one are compared as IPv4. */
const MAPPED = /^::ffff:/i;

const network = z
  .union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], { error: NETWORK_MESSAGE })
  .refine((text) => !MAPPED.test(text), 'a network of IPv4 must be written without ::ffff:');

const allowedNetworks = listOf(network, { error: 'allowed_networks must be an array of networks' })
  .min(1, 'allowed_networks must hold at least one network; null allows any address')
  .max(NETWORKS_MAX, `allowed_networks must hold at most ${NETWORKS_MAX}`)
  .superRefine(uniqueEntries('allowed_networks', { keyOf: (text) => text.toLowerCase() }))
  .nullable()
  .optional()
  .describe('Networks of the addresses from which the account may send requests. Null: any');

const accountScopes = permissionList
  .min(1, 'scopes must hold at least one permission; null leaves all permissions of the roles')
  .nullable()
  .optional()
  .describe('Permissions to which the account is limited, whatever its roles. Null: those of its roles');

const absent = z
  .unknown()
  .refine((value) => value === undefined, 'jwks must hold public keys only. Replace a private key that was sent')
  .optional()
  .meta({ not: {} });

/** Members of private and symmetric keys (RFC 7518 section 6). */
const privateMembers = { d: absent, p: absent, q: absent, dp: absent, dq: absent, qi: absent, oth: absent, k: absent };

/** 32 bytes in base64url: a coordinate of P-256 or a key of Ed25519. */
const COORDINATE = /^[\w-]{43}$/;
/** 2048 to 4096 bits in base64url. */
const MODULUS = /^[\w-]{342,683}$/;
const EXPONENT = /^[\w-]{1,8}$/;

const coordinate = (name: string) =>
  z.string({ error: `${name} is required` }).regex(COORDINATE, `${name} must be 32 bytes in base64url`);

const keyFields = {
  kid: boundedText('kid', KEY_ID_CHARACTERS_MAX).optional().describe('Required beside other keys'),
  use: z.literal('sig', { error: 'use must be sig' }).optional(),
  alg: z.enum(ASSERTION_ALGORITHMS, { error: `alg must be one of ${ASSERTION_ALGORITHMS.join(', ')}` }).optional(),
  ...privateMembers,
};

/** Public key (RFC 7517). Other members are ignored, as section 4 requires, and not stored. */
const publicKey = z
  .discriminatedUnion(
    'kty',
    [
      z.object({
        kty: z.literal('EC'),
        crv: z.literal('P-256', { error: 'crv of an EC key must be P-256' }),
        x: coordinate('x'),
        y: coordinate('y'),
        ...keyFields,
      }),
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519', { error: 'crv of an OKP key must be Ed25519' }),
        x: coordinate('x'),
        ...keyFields,
      }),
      z.object({
        kty: z.literal('RSA'),
        n: z.string({ error: 'n is required' }).regex(MODULUS, 'n must be 2048 to 4096 bits in base64url'),
        e: z.string({ error: 'e is required' }).regex(EXPONENT, 'e must be an exponent in base64url'),
        ...keyFields,
      }),
    ],
    { error: 'a key must be an object with the kty EC, RSA or OKP' },
  )
  .meta({ id: 'PublicKey' });

const uniqueKeyIds = uniqueEntries<string>('keys', { keyOf: (kid) => kid });

export const clientKeySet = z
  .object(
    {
      keys: listOf(publicKey, { error: 'keys must be an array of public keys' })
        .min(1, 'keys must hold at least one key')
        .max(KEYS_MAX, `keys must hold at most ${KEYS_MAX}`)
        .superRefine((keys, context) =>
          uniqueKeyIds(
            keys.flatMap(({ kid }) => kid ?? []),
            context,
          ),
        )
        .refine(
          (keys) => keys.length === 1 || keys.every(({ kid }) => kid !== undefined),
          'several keys need a kid each',
        ),
    },
    { error: 'jwks must be an object with keys' },
  )
  .meta({ id: 'PublicKeySet' });
export type ClientKeySet = z.infer<typeof clientKeySet>;

/** URL parsers drop or encode whitespace and control characters, so two strings would be the same address. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression rejects control characters
const DECEPTIVE = /[\u0000-\u0020\u007f\\]/;

const jwksUri = nonBlankText('jwks_uri', ADDRESS_CHARACTERS_MAX)
  .refine(
    (text) => !DECEPTIVE.test(text) && /^https?:\/\/[^/]/.test(text) && URL.canParse(text) && !text.includes('#'),
    'jwks_uri must be an https address without fragment',
  )
  .meta({ format: 'uri', pattern: '^https?://[^/\\\\#\\s\\u0000-\\u0020\\u007f][^\\\\#\\s\\u0000-\\u0020\\u007f]*$' });

/** Rules of the access of a service account, beside its roles. */
export const accessFields = {
  allowed_networks: allowedNetworks,
  scopes: accountScopes,
  jwks: clientKeySet
    .nullable()
    .optional()
    .describe('Public keys with which the account signs in (RFC 7523). Null: none. Replaces jwks_uri'),
  jwks_uri: jwksUri
    .nullable()
    .optional()
    .describe('Address of the public keys with which the account signs in. Null: none. Replaces jwks'),
  may_introspect: z
    .boolean({ error: 'may_introspect must be true or false' })
    .optional()
    .describe('Whether the account may introspect the tokens of the tenant (RFC 7662)'),
};

/** Check for `refine` that keys come from one source. */
export const hasOneKeySource = ({
  jwks,
  jwks_uri,
}: {
  readonly jwks?: unknown;
  readonly jwks_uri?: unknown;
}): boolean => jwks == null || jwks_uri == null;
export const KEY_SOURCES_MESSAGE = 'send jwks or jwks_uri, not both';

/** Fields of the access in responses. */
export const shownAccess = {
  allowed_networks: z.array(z.string()).nullable().describe('Null: any address'),
  scopes: z.array(z.string()).nullable().describe('Null: all permissions of the roles'),
  jwks: z
    .object({ keys: z.array(z.record(z.string(), z.unknown())) })
    .nullable()
    .describe('Public keys with which the account signs in'),
  jwks_uri: z.string().nullable().describe('Address of these keys'),
  may_introspect: z.boolean(),
};
