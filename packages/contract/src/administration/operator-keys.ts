import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { jsonResponse } from '../operations/define-operations.ts';

const time = (description: string) =>
  epochMs.nullable().describe(`${description}. Null for a revoked key whose other times are no longer kept`);

const signingKey = z
  .object({
    kid: z.string().describe('`kid` of the tokens that it signs (RFC 7638)'),
    state: z
      .enum(['next', 'signing', 'retired', 'revoked'])
      .describe(
        '`next`: published, signs later. `signing`: signs new tokens. `retired`: verifies the tokens that it signed. `revoked`: its tokens are refused, from `refused_from_ts` on',
      ),
    published_ts: time('Time at which verifiers could get it'),
    signs_from_ts: time('Time from which it signs'),
    signs_until_ts: time('Time until which it signs'),
    expires_ts: time('Time at which its last token has expired and it is no longer published'),
    refused_from_ts: epochMs.nullable().describe('Time from which its tokens are refused. Null: it is not revoked'),
  })
  .meta({ id: 'SigningKey' });
export type SigningKeyRecord = z.infer<typeof signingKey>;

const signingKeys = z
  .object({ data: z.array(signingKey).describe('In order of use, then revoked ones, latest first') })
  .meta({ id: 'SigningKeys' });

const rotateQuery = z.strictObject({
  immediate: z
    .enum(['true', 'false'], { error: 'immediate must be true or false' })
    .transform((text) => text === 'true')
    .optional()
    .describe(
      '`true`: the next key signs at once, also if it was published less than two minutes ago. A verifier that has not read it yet refuses its tokens for up to a minute',
    ),
});

const keys = (description: string) => jsonResponse(description, signingKeys);

/** Declarations of the operations on signing keys, which join those of the operator. */
export const operatorKeyDeclarations = {
  listKeys: {
    endpoint: 'GET /operator/keys',
    summary: 'List the keys that sign tokens, with their states and times',
    responses: { 200: keys('Keys') },
    problems: ['audit_unavailable'],
  },
  rotateKeys: {
    endpoint: 'POST /operator/keys/rotate',
    summary:
      'Let the next key sign as soon as every verifier can know it, and publish its successor. Tokens stay valid',
    query: rotateQuery,
    responses: { 200: keys('The keys after the change') },
    problems: ['audit_unavailable'],
  },
  revokeKey: {
    endpoint: 'POST /operator/keys/{kid}/revoke',
    summary: 'Revoke a key: within 60 s, both hosts refuse its tokens. Users stay logged in by refreshing them',
    params: z.strictObject({ kid: z.string() }),
    responses: { 200: keys('The keys after the change') },
    problems: ['not_found', 'conflict', 'audit_unavailable'],
  },
} as const;
