import { integerText } from '../fields/integer-field.ts';
import { hasAtMost, storableText, TEXT_PATTERNS } from '../fields/text-field.ts';

const PAGE_MAX = 1_000;

/** Text that is not blank, without white space around it. */
export const named = (name: string, charactersMax: number) =>
  storableText(name)
    .overwrite((text) => text.trim())
    .refine((text) => text !== '', `${name} must not be empty`)
    .refine((text) => hasAtMost(text, charactersMax), `${name} must have at most ${charactersMax} characters`)
    .meta({ pattern: TEXT_PATTERNS.notBlank, minLength: 1, maxLength: charactersMax });

/** Query parameters of a list in pages. */
export const pageFields = {
  from: integerText('from', { min: 0, max: 999_999_999 }).optional().describe('Default 0'),
  size: integerText('size', { min: 1, max: PAGE_MAX }).optional().describe('Default 10'),
};
