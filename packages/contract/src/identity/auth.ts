import { z } from 'zod';
import { boundedText, hasAtMost, TEXT_PATTERNS } from '../fields/text-field.ts';
import { newPassword } from './new-password.ts';

export const tenantParams = z.strictObject({ tenant: z.string() });

const text = (name: string, charactersMax: number) =>
  z
    .string({ error: `${name} is required and must be a string` })
    .min(1, `${name} must not be empty`)
    .refine((value) => hasAtMost(value, charactersMax), `${name} must have at most ${charactersMax} characters`)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), `${name} must be well-formed Unicode without NUL`)
    .meta({ pattern: TEXT_PATTERNS.storable, maxLength: charactersMax });

/** Long enough for a passphrase, short enough that hashing it is cheap. */
const PASSWORD_CHARACTERS_MAX = 1024;
const RETURN_TO_CHARACTERS_MAX = 2048;
const CLIENT_ID_CHARACTERS_MAX = 320;
const LOGOUT_TOKEN_CHARACTERS_MAX = 8192;

export const loginBody = z
  .strictObject({ email: text('email', 320), password: text('password', PASSWORD_CHARACTERS_MAX) })
  .meta({ id: 'LoginRequest' });

export const changePasswordBody = z
  .strictObject({
    current_password: text('current_password', PASSWORD_CHARACTERS_MAX),
    new_password: newPassword('new_password'),
  })
  .meta({ id: 'ChangePasswordRequest' });

/** Form fields of the login page. */
export const signInBody = z.strictObject({
  email: text('email', 320),
  password: text('password', PASSWORD_CHARACTERS_MAX),
  return_to: boundedText('return_to', RETURN_TO_CHARACTERS_MAX).optional(),
});
/** Form fields of the page that asks an admin for the password before the account is linked. */
export const confirmLinkBody = z.strictObject({
  link: text('link', 64),
  password: text('password', PASSWORD_CHARACTERS_MAX),
});
export const signInQuery = z.strictObject({ return_to: boundedText('return_to', RETURN_TO_CHARACTERS_MAX).optional() });

/** Length of a ticket of a test login. */
const TEST_TICKET_CHARACTERS = 43;
export const startLoginQuery = signInQuery.extend({
  with: z
    .enum(['provider'])
    .optional()
    .describe('`provider`: at the identity provider, also in a browser whose last login took a password'),
  prompt: z.enum(['login']).optional().describe('`login`: the user has to authenticate again'),
  test: boundedText('test', TEST_TICKET_CHARACTERS)
    .optional()
    .describe(
      'Ticket of a test login (POST /admin/identity-provider/test-login), which shows the claims without signing in',
    ),
});

/** Parameter of the callback. All of them together fit into a request line of 16 KiB. */
const answered = (charactersMax: number) => z.string().max(charactersMax).optional();
/** Response of the identity provider through the browser: a code or an error, and any other parameter (RFC 6749 section 4.1.2). */
export const callbackQuery = z.object({
  code: answered(4096),
  state: answered(512),
  iss: answered(2048),
  error: answered(256),
  error_description: answered(2048),
});

// RFC 6749 section 3.2: unrecognised parameters of a token request are ignored.
export const refreshBody = z.object({ refresh_token: text('refresh_token', 4096) }).meta({ id: 'RefreshRequest' });
/** Client of a token request (RFC 6749 section 2.3.1). */
export const tokenClientFields = {
  client_id: boundedText('client_id', CLIENT_ID_CHARACTERS_MAX).optional(),
  client_secret: boundedText('client_secret', PASSWORD_CHARACTERS_MAX).optional(),
};

/** Logout token of the identity provider (OpenID Connect Back-Channel Logout 1.0 section 2.5). Unrecognised parameters are ignored. */
export const backchannelLogoutForm = z
  .object({ logout_token: boundedText('logout_token', LOGOUT_TOKEN_CHARACTERS_MAX) })
  .meta({ id: 'BackchannelLogoutRequest' });

export const endedSessionsBody = z
  .object({ ended_count: z.int().describe('Number of sessions that were open until now') })
  .meta({ id: 'BackchannelLogout' });

export const sessionStatusBody = z
  .object({ active: z.boolean().describe('Whether the session of the cookie is open, and its user may still log in') })
  .meta({ id: 'CookieSession' });

export const tokensBody = z
  .object({
    id_token: z.string(),
    access_token: z.string(),
    refresh_token: z.string(),
    expires_in: z.int().describe('Seconds'),
    token_type: z.literal('Bearer'),
  })
  .meta({ id: 'Tokens' });
export type Tokens = z.infer<typeof tokensBody>;

/** Response to client credentials. */
export interface AccessToken {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  /** Permissions of the token, if the request had a scope. */
  readonly scope?: string;
}

export const jwksBody = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).meta({ id: 'JsonWebKeySet' });
