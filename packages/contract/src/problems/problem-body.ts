import { z } from 'zod';

/** The JSON of every error answer except those of the token endpoints, which follow RFC 6749 section 5.2. */
export const problemBody = z
  .object({
    error: z.string().describe('The code, lower snake case, as listed in docs/errors.md'),
    message: z.string().describe('A sentence that a person can act on'),
    request_id: z.string(),
    details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    location: z.object({ line: z.int().min(1), column: z.int().min(1) }).optional(),
  })
  .meta({ id: 'Error' });

/** RFC 6749 section 5.2. */
export const oauthProblemBody = z
  .object({ error: z.string(), error_description: z.string() })
  .meta({ id: 'OAuthError' });
