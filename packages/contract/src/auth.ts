import { z } from 'zod';

export const tenantParams = z.strictObject({ tenant: z.string() });

const text = (name: string, charactersMax: number) =>
  z
    .string({ error: `${name} is required and must be a string` })
    .min(1, `${name} must not be empty`)
    .max(charactersMax, `${name} must have at most ${charactersMax} characters`)
    .refine(
      (value) => value.isWellFormed() && !value.includes('\0'),
      `${name} must be well-formed Unicode without NUL`,
    );

/** Long enough for a passphrase, short enough that hashing it cannot be made a load. */
const PASSWORD_CHARACTERS_MAX = 1024;

export const loginBody = z
  .strictObject({ email: text('email', 320), password: text('password', PASSWORD_CHARACTERS_MAX) })
  .meta({ id: 'LoginRequest' });

/** The fields of the sign-in page's form. */
export const signInBody = z.strictObject({
  email: text('email', 320),
  password: text('password', PASSWORD_CHARACTERS_MAX),
  return_to: z.string().max(2048).optional(),
});
/** The fields of the form that asks an admin for the password before the account is linked. */
export const confirmLinkBody = z.strictObject({
  link: text('link', 64),
  password: text('password', PASSWORD_CHARACTERS_MAX),
});
export const signInQuery = z.strictObject({ return_to: z.string().max(2048).optional() });

const answered = z.string().max(8192).optional();
/** What a provider answers by the browser: a code or an error, and what else it likes to say (RFC 6749 section 4.1.2). */
export const callbackQuery = z.object({
  code: answered,
  state: answered,
  iss: answered,
  error: answered,
  error_description: answered,
});

// RFC 6749 section 3.2: unrecognised parameters of a token request are ignored.
export const refreshBody = z.object({ refresh_token: text('refresh_token', 4096) }).meta({ id: 'RefreshRequest' });
export const clientCredentialsBody = z
  .object({
    grant_type: z.string({ error: 'grant_type is required' }).min(1, 'grant_type must not be empty'),
    client_id: z.string().max(320).optional(),
    client_secret: z.string().max(PASSWORD_CHARACTERS_MAX).optional(),
  })
  .meta({ id: 'ClientCredentialsRequest' });

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

export const accessTokenBody = z
  .object({ access_token: z.string(), token_type: z.literal('Bearer'), expires_in: z.int().describe('Seconds') })
  .meta({ id: 'AccessToken' });
export type AccessToken = z.infer<typeof accessTokenBody>;

export const jwksBody = z.object({ keys: z.array(z.record(z.string(), z.unknown())) }).meta({ id: 'JsonWebKeySet' });
