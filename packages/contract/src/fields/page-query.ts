import { z } from 'zod';
import { integerText } from './integer-field.ts';
import { boundedText } from './text-field.ts';

const PAGE_MAX = 1000;
export const PAGE_DEFAULT = 100;
const WORDS_CHARACTERS_MAX = 320;
/** A token holds a position and the filters of its list. */
const PAGE_TOKEN_CHARACTERS_MAX = 8192;

const size = integerText('size', { min: 1, max: PAGE_MAX }).optional().describe(`Default ${PAGE_DEFAULT}`);

/** Paging fields of the query string of a list. */
export const pageFields = {
  from: integerText('from', { min: 0, max: 999_999_999 }).optional().describe('Default 0'),
  size,
};

/** Paging fields of a list that is read from a position instead of an index, so that its pages neither repeat nor miss an entry. */
export const keysetFields = {
  size,
  page_token: z
    .string({ error: 'page_token must be a string' })
    .max(PAGE_TOKEN_CHARACTERS_MAX, `page_token must have at most ${PAGE_TOKEN_CHARACTERS_MAX} characters`)
    // The handler checks the value, because any other string is `invalid_page_token`.
    .meta({ pattern: '^[A-Za-z0-9_-]+$' })
    .optional()
    .describe('`next_page_token` of the previous page'),
};

const nextPageToken = z
  .string()
  .optional()
  .describe('Absent on the last page. A page may have fewer entries than `size` and still not be the last');

/** Page of a list with `keysetFields`. */
export const keysetPage = <T extends z.ZodType>(entry: T) =>
  z.object({ data: z.array(entry), next_page_token: nextPageToken });

/** Filter by part of a name, ignoring case. */
export const nameFilter = boundedText('q', WORDS_CHARACTERS_MAX).optional();
