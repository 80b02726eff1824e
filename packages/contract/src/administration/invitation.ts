import { z } from 'zod';
import { hasAtMost, storableText } from '../fields/text-field.ts';

const EMAIL_CHARACTERS_MAX = 320;
/** UTF-16 units of a text that may normalize to so few characters: no character is composed of more than four. */
const EMAIL_UNITS_MAX = 4 * EMAIL_CHARACTERS_MAX;
const PASSWORD_CHARACTERS_MIN = 12;
const PASSWORD_CHARACTERS_MAX = 1024;
const TOKEN_CHARACTERS_MAX = 200;

/** No colon, at which HTTP Basic would cut it (RFC 7617 section 2), and nothing that a line could not hold. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const EMAIL = /^[^\s@:\u0000-\u001f\u007f]+@[^\s@:\u0000-\u001f\u007f]+$/u;
/** RFC 7617 section 2: HTTP Basic can carry none. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
const CONTROL = /[\u0000-\u001f\u007f]/;

/** The e-mail of a new account: what it is known by, in lower case. */
export const emailText = (name: string) =>
  storableText(name)
    // A longer text is refused below. Normalizing takes quadratic time on a long run of combining marks.
    .overwrite((text) => (text.length > EMAIL_UNITS_MAX ? text : text.trim().normalize('NFC').toLowerCase()))
    .refine((text) => EMAIL.test(text), `${name} must be an e-mail address`)
    .refine(
      (text) => hasAtMost(text, EMAIL_CHARACTERS_MAX),
      `${name} must have at most ${EMAIL_CHARACTERS_MAX} characters`,
    )
    .meta({ pattern: EMAIL.source, maxLength: EMAIL_CHARACTERS_MAX });

/** A password that somebody chooses. Length is what counts (NIST SP 800-63B section 3.1.1.2): there is no rule about its letters. */
export const newPassword = storableText('password')
  .refine((text) => !CONTROL.test(text), 'password must not contain control characters')
  .refine(
    (text) => [...text].length >= PASSWORD_CHARACTERS_MIN,
    `password must have at least ${PASSWORD_CHARACTERS_MIN} characters`,
  )
  .refine(
    (text) => hasAtMost(text, PASSWORD_CHARACTERS_MAX),
    `password must have at most ${PASSWORD_CHARACTERS_MAX} characters`,
  )
  .meta({
    pattern: '^[^\\u0000-\\u001f\\u007f]*$',
    minLength: PASSWORD_CHARACTERS_MIN,
    maxLength: PASSWORD_CHARACTERS_MAX,
  });

export const invitation = z
  .object({
    url: z.string().describe('A page on which the invited person sets a password; shown this once'),
    token: z.string().describe('The same, for POST /auth/invitation/{tenant}'),
    expires_ts: z.int().describe('Epoch milliseconds'),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof invitation>;

const token = z
  .string({ error: 'token is required and must be a string' })
  .min(1, 'token must not be empty')
  .max(TOKEN_CHARACTERS_MAX, `token must have at most ${TOKEN_CHARACTERS_MAX} characters`);

/** A page that was opened without a token is told what one is told whose token is wrong. */
export const invitationQuery = z.strictObject({
  token: z.string().meta({ maxLength: TOKEN_CHARACTERS_MAX }).optional(),
});

export const acceptInvitationBody = z
  .strictObject({
    token,
    password: newPassword,
    email: emailText('email').optional().describe('Only of an invitation that names none'),
  })
  .meta({ id: 'AcceptInvitationRequest' });
export type AcceptInvitationRequest = z.infer<typeof acceptInvitationBody>;

export const acceptedInvitation = z
  .object({ email: z.string().describe('What to log in with'), login_url: z.string() })
  .meta({ id: 'AcceptedInvitation' });
