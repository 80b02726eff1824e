import { z } from 'zod';
import { descriptionText } from '../catalog/metadata.ts';
import { epochMs } from '../fields/epoch-field.ts';
import { listOf } from '../fields/list-of.ts';
import { distinctTags, tagList } from '../fields/tag.ts';
import { boundedText, storableText, TEXT_PATTERNS } from '../fields/text-field.ts';
import { uniqueEntries } from '../fields/unique-entries.ts';
import { columnBody } from '../queries/column.ts';
import { DOWNLOAD_FORMATS, MARKETPLACE_FORMATS, marketplaceFormat } from '../queries/download-formats.ts';
import { linkQuery } from '../queries/link-parameters.ts';
import { parameterDeclarationBody } from '../queries/parameter-declaration.ts';
import { declaredQueryParameters } from '../queries/query-parameters.ts';
import { named, pageFields } from './marketplace-fields.ts';

const TITLE_CHARACTERS_MAX = 256;
const QUERIES_MAX = 100;
const WORDS_CHARACTERS_MAX = 1_000;
const OWNER_CHARACTERS_MAX = 320;
const LICENSE_CHARACTERS_MAX = 200;
const TERMS_CHARACTERS_MAX = 20_000;
const ITEM_ID = /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/;

const itemId = z
  .string({ error: 'id is required and must be a string' })
  .regex(ITEM_ID, 'id must be 1 to 100 of a-z, 0-9 and -, and no - at either end');

export const marketplaceQueryName = named('name', TITLE_CHARACTERS_MAX);

/** List of named queries. The key `key` of `entry` refers to the datamap. */
export const marketplaceQueries = <S extends z.ZodType<{ name: string }>>(entry: S, key: string) =>
  listOf(entry, { error: `queries must be an array of objects with name and ${key}` })
    .min(1, 'queries must hold at least one')
    .max(QUERIES_MAX, `queries must hold at most ${QUERIES_MAX}`)
    .superRefine(
      uniqueEntries('queries', {
        keyOf: ({ name }) => name.normalize('NFC').toLowerCase(),
        nameOf: ({ name }) => name,
      }),
    )
    .describe('Published datamaps, in download order');

/** Name of a license: one line, so that it fits beside the title. */
const license = boundedText('license', LICENSE_CHARACTERS_MAX)
  .refine((text) => !/[\r\n]/.test(text), 'license must be one line')
  .overwrite((text) => text.trim())
  .meta({ pattern: '^[^\\u0000\\r\\n]*$', maxLength: LICENSE_CHARACTERS_MAX })
  .nullable()
  .optional()
  .describe('Name of the license, such as `CC-BY-4.0`. Null or empty: none. Absent: unchanged');

const termsOfUse = boundedText('terms_of_use', TERMS_CHARACTERS_MAX)
  .nullable()
  .optional()
  .describe('What those who download the data may do with it, as Markdown. Null or empty: none. Absent: unchanged');

const content = {
  title: named('title', TITLE_CHARACTERS_MAX),
  description: descriptionText.optional().describe('Null, empty or absent: no description'),
  tags: tagList('tags').overwrite(distinctTags).optional(),
  domains: listOf(storableText('a domain id'), { error: 'domains must be an array of domain ids' })
    .max(QUERIES_MAX, `domains must hold at most ${QUERIES_MAX} ids`)
    .optional(),
  queries: marketplaceQueries(
    z.strictObject({ name: marketplaceQueryName, datamap_id: storableText('datamap_id') }),
    'datamap_id',
  ),
  license,
  terms_of_use: termsOfUse,
  owner: boundedText('owner', OWNER_CHARACTERS_MAX)
    .optional()
    .describe('E-mail or client id of the owner. Default: the caller. Only an admin can name another'),
};

export const marketplaceItemBody = z.strictObject({ id: itemId, ...content }).meta({ id: 'MarketplaceItemRequest' });
export type MarketplaceItemRequest = z.infer<typeof marketplaceItemBody>;

export const marketplaceChangeBody = z.strictObject(content).meta({ id: 'MarketplaceItemChange' });
export type MarketplaceItemChange = z.infer<typeof marketplaceChangeBody>;

export const marketplaceParams = z.strictObject({ id: z.string() });

export const marketplaceQuery = z.strictObject({
  q: boundedText('q', WORDS_CHARACTERS_MAX)
    .optional()
    .describe('Words in title, description or tags. All of them must match'),
  tag: boundedText('tag', TITLE_CHARACTERS_MAX).optional().describe('Items with this tag'),
  domain: boundedText('domain', TITLE_CHARACTERS_MAX).optional().describe('Items of the domain with this id'),
  owner: boundedText('owner', OWNER_CHARACTERS_MAX).optional().describe('Items of this owner, by e-mail or client id'),
  datamap: boundedText('datamap', TITLE_CHARACTERS_MAX)
    .optional()
    .describe('Items with a query of the datamap with this id'),
  facets: z
    .enum(['true', 'false'], { error: 'facets must be true or false' })
    .optional()
    .describe('true: the response has `facets`'),
  ...pageFields,
});
export type MarketplaceQuery = z.infer<typeof marketplaceQuery>;

const ARCHIVE_COMPRESSIONS = ['deflate', 'store'] as const;
export type ArchiveCompression = (typeof ARCHIVE_COMPRESSIONS)[number];

const compression = z
  .enum(ARCHIVE_COMPRESSIONS, { error: `compression must be one of ${ARCHIVE_COMPRESSIONS.join(', ')}` })
  .optional()
  .describe('Of a ZIP archive. `store`: no compression, faster and larger. Other files ignore it. Default `deflate`');

/** Formats whose links have no path of their own. OpenAPI describes the others by their own operations. */
const OTHER_FORMATS = MARKETPLACE_FORMATS.filter(
  (name) => !DOWNLOAD_FORMATS[marketplaceFormat(name)].hasMarketplacePath,
);

/** Parameters of a link to an item in a format of the caller's choice. */
export const marketplaceLinkParams = z.strictObject({
  id: z.string(),
  format: z.enum(OTHER_FORMATS, { error: `format must be one of ${MARKETPLACE_FORMATS.join(', ')}` }),
});

export const archiveQuery = z.strictObject({ compression });

/** Query string of a link to an item. */
export const archiveLinkQuery = linkQuery({ compression });

export const marketplaceDownloadBody = z
  .strictObject({ parameters: declaredQueryParameters.optional() })
  .meta({ id: 'MarketplaceDownloadRequest' });

export const marketplaceDownloadQuery = z.strictObject({
  id: z.string({ error: 'id is required' }).min(1, 'id must not be empty').meta({ pattern: TEXT_PATTERNS.storable }),
  format: z.enum(MARKETPLACE_FORMATS, { error: `format must be one of ${MARKETPLACE_FORMATS.join(', ')}` }),
  compression,
});

const itemColumn = columnBody
  .extend({
    description: z.string().nullable().optional().describe('Description in the datamap. Absent in the list of items'),
  })
  .meta({ id: 'MarketplaceItemColumn' });

const completeDownload = z
  .object({
    ended_ts: epochMs,
    rows: z.int().min(0).describe('Rows of all queries'),
    bytes: z.int().min(0),
    format: z.string(),
  })
  .describe('Size of a file as it was sent: other parameters, formats and users may get another one')
  .meta({ id: 'MarketplaceCompleteDownload' });

export const marketplaceItem = z
  .object({
    id: z.string(),
    title: z.string(),
    description: z.string().nullable(),
    owner: z.string().describe('E-mail or client id'),
    version: z.int().min(1).describe('Incremented by every change'),
    queries: z.array(
      z.object({
        name: z.string(),
        datamap_id: z.string(),
        is_published: z.boolean().describe('An item can be downloaded only while all of its datamaps are published'),
        columns: z.array(itemColumn).describe('Empty while the datamap is not published'),
        parameters: z
          .array(parameterDeclarationBody)
          .describe('Values that a download takes, declared by the datamap. Empty while it is not published'),
      }),
    ),
    tags: z.array(z.string()),
    domains: z.array(z.string()).describe('Domain ids'),
    domain_names: z.array(z.string()).describe('Names of `domains`, in the same order'),
    license: z.string().nullable(),
    terms_of_use: z.string().nullable().describe('Markdown'),
    rating: z.number().nullable().describe('Average rating of its datamaps'),
    download_count: z.int().min(0),
    last_downloaded_ts: epochMs.nullable(),
    last_complete_download: completeDownload
      .nullable()
      .describe('Last download, by any user, whose file was sent whole. Null: none since this is recorded'),
    is_granted: z.boolean().describe('Whether the caller may download it now'),
    access_expires_ts: epochMs
      .nullable()
      .describe('When the last grant of the caller ends. Null: never, or the caller has no grant'),
    created_ts: epochMs,
    updated_ts: epochMs,
    updated_by: z.string(),
  })
  .meta({ id: 'MarketplaceItem' });
export type MarketplaceItem = z.infer<typeof marketplaceItem>;

const itemFreshness = z
  .object({
    tables_seen_ts: epochMs
      .nullable()
      .describe(
        'Oldest time at which a harvest has listed a table that the queries read. It says that the tables exist, not when their data changed. Null: a table was never harvested, or the queries read none',
      ),
    missing_table_count: z.int().min(0).describe('Tables that the last harvest did not find any more'),
    data_changed_ts: epochMs
      .nullable()
      .describe(
        'Last change of the files that the queries read, if they read files of `SLUICE_DATA_DIR` only. Null: not known, because engines do not say when data changed',
      ),
  })
  .describe(
    'What is known about the age of the data. A download reads the tables when it runs, so nothing is copied before',
  )
  .meta({ id: 'MarketplaceFreshness' });
export type MarketplaceFreshness = z.infer<typeof itemFreshness>;

/** An item with what takes more to find out than a list should. */
export const marketplaceItemDetails = marketplaceItem
  .extend({ freshness: itemFreshness })
  .meta({ id: 'MarketplaceItemDetails' });
export type MarketplaceItemDetails = z.infer<typeof marketplaceItemDetails>;

const facetOf = <S extends z.ZodRawShape>(more: S) =>
  z.array(z.object({ value: z.string(), count: z.int().min(1), ...more })).describe('Most frequent first, at most 50');
const facet = facetOf({});

const marketplaceFacets = z
  .object({
    tags: facet,
    domains: facetOf({ name: z.string() }).describe('Ids and names of domains, most frequent first, at most 50'),
    owners: facet,
  })
  .describe('How many of all found items have a value. Only with `facets=true`')
  .meta({ id: 'MarketplaceFacets' });
export type MarketplaceFacets = z.infer<typeof marketplaceFacets>;

export const marketplacePage = z
  .object({
    total: z.int().min(0),
    data: z.array(marketplaceItem).describe('Sorted by title'),
    facets: marketplaceFacets.optional(),
  })
  .meta({ id: 'MarketplacePage' });
