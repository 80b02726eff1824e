import { integerText } from './integer-field.ts';
import { boundedText } from './text-field.ts';

const PAGE_MAX = 1000;
const WORDS_CHARACTERS_MAX = 320;

/** Paging fields of the query string of a list. */
export const pageFields = {
  from: integerText('from', { min: 0, max: 999_999_999 }).optional().describe('Default 0'),
  size: integerText('size', { min: 1, max: PAGE_MAX }).optional().describe('Default 100'),
};

/** Filter by part of a name, without case. */
export const nameFilter = boundedText('q', WORDS_CHARACTERS_MAX).optional();
