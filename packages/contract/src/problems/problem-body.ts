import { z } from 'zod';

/** JSON of every error response, except those of the token endpoints (RFC 6749 section 5.2). */
export const problemBody = z
  .object({
    error: z.string().describe('Error code in lower snake case, listed in docs/errors.md'),
    message: z.string().describe('Sentence for people that says what is wrong and what to do'),
    request_id: z.string(),
    details: z
      .array(
        z.object({
          path: z.string(),
          message: z.string(),
          line: z.int().min(1).optional().describe('Line of the body, for POST /admin/apply'),
        }),
      )
      .optional(),
    location: z.object({ line: z.int().min(1), column: z.int().min(1) }).optional(),
  })
  .meta({ id: 'Error' });

/** Error JSON of RFC 6749 section 5.2. */
export const oauthProblemBody = z
  .object({ error: z.string(), error_description: z.string() })
  .meta({ id: 'OAuthError' });
