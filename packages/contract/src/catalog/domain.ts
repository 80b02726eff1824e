import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { integerText } from '../fields/integer-field.ts';
import { hasAtMost, storableText, TEXT_PATTERNS } from '../fields/text-field.ts';
import { descriptionText } from './metadata.ts';

const NAME_CHARACTERS_MAX = 256;
const PAGE_MAX = 1000;

/** Returns the key for comparing names of domains, which ignores case. */
export const domainNameKey = (name: string): string => name.normalize('NFC').toLowerCase();

export const domainBody = z
  .strictObject({
    name: storableText('name')
      .overwrite((text) => text.trim())
      .refine((text) => text !== '', 'name must not be empty')
      .refine(
        (text) => hasAtMost(text, NAME_CHARACTERS_MAX),
        `name must have at most ${NAME_CHARACTERS_MAX} characters`,
      )
      .meta({ pattern: TEXT_PATTERNS.notBlank, minLength: 1, maxLength: NAME_CHARACTERS_MAX })
      .describe('Unique in the tenant; case is ignored'),
    description: descriptionText.optional().describe('Null, empty or absent: no description'),
  })
  .meta({ id: 'DomainRequest' });
export type DomainRequest = z.infer<typeof domainBody>;

export const domainParams = z.strictObject({ id: z.string() });

export const domainsQuery = z.strictObject({
  from: integerText('from', { min: 0, max: 999_999_999 }).optional().describe('Default 0'),
  size: integerText('size', { min: 1, max: PAGE_MAX }).optional().describe('Default 100'),
});
export type DomainsQuery = z.infer<typeof domainsQuery>;

export const domainRecord = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    object_count: z.int().min(0).describe('Tables, views and datamaps with this domain'),
    created_ts: epochMs,
    updated_ts: epochMs,
    updated_by: z.string(),
  })
  .meta({ id: 'Domain' });
export type DomainRecord = z.infer<typeof domainRecord>;

export const domainsPage = z
  .object({ total: z.int().min(0), data: z.array(domainRecord).describe('Sorted by name') })
  .meta({ id: 'Domains' });
