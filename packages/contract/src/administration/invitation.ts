import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { hasAtMost, storableText } from '../fields/text-field.ts';
import { tenantParams } from '../identity/auth.ts';
import { newPassword } from '../identity/new-password.ts';
import { ANONYMOUS, defineOperations } from '../operations/define-operations.ts';
import { LOGIN_BODY_LIMITS } from '../operations/operation.ts';

const EMAIL_CHARACTERS_MAX = 320;
/** Longest text, in UTF-16 units, that can normalize to the maximum length: no character is composed of more than four. */
const EMAIL_UNITS_MAX = 4 * EMAIL_CHARACTERS_MAX;
const TOKEN_CHARACTERS_MAX = 200;

/** No colon, which ends the user name in HTTP Basic (RFC 7617 section 2), and no whitespace or control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression rejects control characters
const EMAIL = /^[^\s@:\u0000-\u001f\u007f]+@[^\s@:\u0000-\u001f\u007f]+$/u;

/** E-mail of a new account, in lower case. It identifies the account. */
export const emailText = (name: string) =>
  storableText(name)
    // A longer string is rejected below. Normalizing takes quadratic time on a long run of combining marks.
    .overwrite((text) => (text.length > EMAIL_UNITS_MAX ? text : text.trim().normalize('NFC').toLowerCase()))
    .refine((text) => EMAIL.test(text), `${name} must be an e-mail address`)
    .refine(
      (text) => hasAtMost(text, EMAIL_CHARACTERS_MAX),
      `${name} must have at most ${EMAIL_CHARACTERS_MAX} characters`,
    )
    .meta({ pattern: EMAIL.source, maxLength: EMAIL_CHARACTERS_MAX });

export const invitation = z
  .object({
    url: z.string().describe('Page where the invited person sets a password. Shown once'),
    token: z.string().describe('Token of that page, for POST /auth/invitation/{tenant}'),
    expires_ts: epochMs,
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof invitation>;

const token = z
  .string({ error: 'token is required and must be a string' })
  .min(1, 'token must not be empty')
  .max(TOKEN_CHARACTERS_MAX, `token must have at most ${TOKEN_CHARACTERS_MAX} characters`);

/** A missing token gets the same response as a wrong one. */
const invitationQuery = z.strictObject({
  token: z.string().meta({ maxLength: TOKEN_CHARACTERS_MAX }).optional(),
});

export const acceptInvitationBody = z
  .strictObject({
    token,
    password: newPassword('password'),
    email: emailText('email').optional().describe('Only for an invitation without an e-mail'),
  })
  .meta({ id: 'AcceptInvitationRequest' });
export type AcceptInvitationRequest = z.infer<typeof acceptInvitationBody>;

const acceptedInvitation = z
  .object({ email: z.string().describe('E-mail to log in with'), login_url: z.string() })
  .meta({ id: 'AcceptedInvitation' });

/** Acceptance of invitations. */
export const invitationOperations = defineOperations('administration', ANONYMOUS, {
  invitationPage: {
    endpoint: 'GET /auth/invitation/{tenant}',
    summary: 'Show the page of an invitation',
    params: tenantParams,
    query: invitationQuery,
    responses: { 200: { description: 'The form', mediaType: 'text/html' } },
    pages: 'any',
    problems: ['not_found'],
  },
  acceptInvitation: {
    endpoint: 'POST /auth/invitation/{tenant}',
    summary: 'Set the password of an invited account, once. The response to a form is a page',
    params: tenantParams,
    body: {
      schema: acceptInvitationBody,
      mediaTypes: ['application/json', 'application/x-www-form-urlencoded'],
      ...LOGIN_BODY_LIMITS,
    },
    responses: {
      200: {
        description: 'The account that can log in now',
        mediaType: 'application/json',
        schema: acceptedInvitation,
        alternatives: [{ mediaType: 'text/html' }],
      },
      303: { description: 'The response to a form: redirect to the console, with the session cookie' },
    },
    pages: 'any',
    problems: ['not_found', 'conflict', 'too_many_requests', 'audit_unavailable'],
  },
});
