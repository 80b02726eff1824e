import { z } from 'zod';
import { hasAtMost, storableText } from './text-field.ts';

const PAGE_MAX = 1000;
const WORDS_CHARACTERS_MAX = 320;

const count = (name: string, { min, max }: { min: number; max: number }) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `${name} must be a whole number`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `${name} must be from ${min} to ${max}`);

/** Fields of a query string that asks for a page of a list. */
export const pageFields = {
  from: count('from', { min: 0, max: 999_999_999 }).optional().describe('Default 0'),
  size: count('size', { min: 1, max: PAGE_MAX }).optional().describe('Default 100'),
};

/** Part of a name, in whatever case. */
export const partOfName = storableText('q')
  .refine((text) => hasAtMost(text, WORDS_CHARACTERS_MAX), `q must have at most ${WORDS_CHARACTERS_MAX} characters`)
  .optional();
