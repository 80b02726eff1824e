import { z } from 'zod';
import { listOf } from '../fields/list-of.ts';
import { tagList } from '../fields/tag.ts';
import { hasAtMost, nonBlankText, storableText, TEXT_PATTERNS } from '../fields/text-field.ts';
import { defineOperations, FOR_API } from '../operations/define-operations.ts';
import { jsonBody } from '../operations/operation.ts';
import { problemBody } from '../problems/problem-body.ts';

export const IMPORT_OBJECTS_MAX = 50;
/** A longer list is only counted, because millions of violations are useless. */
const CHECKED_OBJECTS_MAX = 60;
const FIELDS_MAX = 2000;
const IMPORT_BYTES_MAX = 16 * 1024 * 1024;
/** More than the first hundred violations are reported: fifty objects can have many. */
const IMPORT_DETAILS_MAX = 1_000;
/** Each value may be a violation, and reporting a million takes seconds. */
const IMPORT_VALUES_MAX = 300_000;
const DESCRIPTION_CHARACTERS_MAX = 100_000;
const DISPLAY_NAME_CHARACTERS_MAX = 500;
const DOMAINS_MAX = 1000;
const ID_CHARACTERS_MAX = 4096;

export const FACT_TYPES = ['TABLE', 'VIEW', 'DATAMAP'] as const;
export type FactType = (typeof FACT_TYPES)[number];

/** Checks rules across several keys even if other rules fail, so that all violations are reported at once. */
const ALWAYS = { when: () => true };
const WHERE_LIST = { when: ({ value }: z.core.ParsePayload) => Array.isArray(value) };

export const descriptionText = storableText('description')
  .refine(
    (text) => hasAtMost(text, DESCRIPTION_CHARACTERS_MAX),
    `description must have at most ${DESCRIPTION_CHARACTERS_MAX} characters`,
  )
  .meta({ maxLength: DESCRIPTION_CHARACTERS_MAX })
  .nullable();

export const displayNameText = storableText('display_name')
  .overwrite((text) => text.trim())
  .refine((text) => text !== '', 'display_name must not be empty')
  .refine(
    (text) => hasAtMost(text, DISPLAY_NAME_CHARACTERS_MAX),
    `display_name must have at most ${DISPLAY_NAME_CHARACTERS_MAX} characters`,
  )
  .meta({ pattern: TEXT_PATTERNS.notBlank, minLength: 1, maxLength: DISPLAY_NAME_CHARACTERS_MAX });

const domainList = (name: string) =>
  listOf(storableText('a domain'), { error: `${name} must be an array of names or ids of domains` }).max(
    DOMAINS_MAX,
    `${name} must hold at most ${DOMAINS_MAX} domains`,
  );

const holds = (value: unknown, key: string): boolean =>
  typeof value === 'object' && value !== null && Reflect.get(value, key) !== undefined;

type ReplacedList = 'tags' | 'domains' | 'domain_ids';

const changesOf = (list: ReplacedList): readonly string[] =>
  ['add', 'remove'].map((change) => `${change}_${list === 'tags' ? 'tags' : 'domains'}`);

const refuseBoth = (value: unknown, list: ReplacedList, context: z.core.$RefinementCtx): void => {
  if (!holds(value, list)) return;
  for (const change of changesOf(list)) {
    if (!holds(value, change)) continue;
    context.addIssue({
      code: 'custom',
      path: [change],
      message: `${change} and ${list} exclude each other: ${list} replaces all`,
    });
  }
};

/** States the rule of `refuseBoth` in JSON Schema. */
const exclusive = (list: ReplacedList) => changesOf(list).map((change) => ({ not: { required: [list, change] } }));

const tagChanges = {
  tags: tagList('tags').optional().describe('Replaces all tags'),
  add_tags: tagList('add_tags').optional(),
  remove_tags: tagList('remove_tags').optional(),
};

const description = descriptionText.optional().describe('Null or empty: removes the description');

const fieldMetadata = z
  .strictObject({
    name: storableText('name').min(1, 'name must not be empty').describe('Name as the engine spells it'),
    description,
    ...tagChanges,
  })
  .superRefine((field, context) => refuseBoth(field, 'tags', context), ALWAYS)
  .meta({ id: 'FieldMetadata', allOf: exclusive('tags') });

const refuseSameNames = (fields: readonly unknown[], context: z.core.$RefinementCtx): void => {
  const seen = new Set<string>();
  for (const [index, field] of fields.entries()) {
    const name: unknown = typeof field === 'object' && field !== null ? Reflect.get(field, 'name') : undefined;
    if (typeof name !== 'string') continue;
    if (seen.has(name)) {
      context.addIssue({
        code: 'custom',
        path: [index, 'name'],
        message: 'another field of this object has this name',
      });
    }
    seen.add(name);
  }
};

const refuseDisplayName = (object: unknown, context: z.core.$RefinementCtx): void => {
  if (!holds(object, 'display_name') || !holds(object, 'type')) return;
  const type: unknown = Reflect.get(object as object, 'type');
  if (type !== 'TABLE' && type !== 'VIEW') return;
  context.addIssue({
    code: 'custom',
    path: ['display_name'],
    message: `only a DATAMAP has a display_name, not a ${type}`,
  });
};

const refuseOwner = (object: unknown, context: z.core.$RefinementCtx): void => {
  if (!holds(object, 'owner') || Reflect.get(object as object, 'type') !== 'DATAMAP') return;
  context.addIssue({
    code: 'custom',
    path: ['owner'],
    message: 'the owner of a DATAMAP is who created it; only a TABLE or VIEW gets one here',
  });
};

const OWNER_CHARACTERS_MAX = 320;

export const metadataObject = z
  .strictObject({
    type: z.enum(FACT_TYPES, {
      error: ({ input }) => `type ${input === undefined ? 'is required and ' : ''}must be TABLE, VIEW or DATAMAP`,
    }),
    id: nonBlankText('id', ID_CHARACTERS_MAX).describe(
      'Id of a datamap, or catalog.schema.name of a table or view. A part with a dot is in double quotes',
    ),
    display_name: displayNameText.optional().describe('Datamaps only'),
    description,
    ...tagChanges,
    owner: storableText('owner')
      .refine(
        (text) => hasAtMost(text, OWNER_CHARACTERS_MAX),
        `owner must have at most ${OWNER_CHARACTERS_MAX} characters`,
      )
      .meta({ maxLength: OWNER_CHARACTERS_MAX })
      .nullable()
      .optional()
      .describe('Tables and views only: e-mail of the user who answers questions about it. Null or empty: no owner'),
    domains: domainList('domains').optional().describe('Names or ids of domains; replaces all domains'),
    domain_ids: domainList('domain_ids')
      .optional()
      .describe('As `domains`, which counts if both are given: an export has names and ids'),
    add_domains: domainList('add_domains').optional(),
    remove_domains: domainList('remove_domains').optional(),
    fields: listOf(fieldMetadata, { error: 'fields must be an array of objects' })
      .max(
        FIELDS_MAX,
        `fields must hold at most ${FIELDS_MAX} fields; name the others in another object of the same id`,
      )
      .superRefine(refuseSameNames, WHERE_LIST)
      .optional(),
  })
  .superRefine((object, context) => {
    refuseBoth(object, 'tags', context);
    refuseBoth(object, 'domains', context);
    refuseBoth(object, 'domain_ids', context);
    refuseDisplayName(object, context);
    refuseOwner(object, context);
  }, ALWAYS)
  .meta({
    id: 'MetadataObject',
    allOf: [
      ...exclusive('tags'),
      ...exclusive('domains'),
      ...exclusive('domain_ids'),
      { anyOf: [{ properties: { type: { const: 'DATAMAP' } } }, { not: { required: ['display_name'] } }] },
      { anyOf: [{ properties: { type: { enum: ['TABLE', 'VIEW'] } } }, { not: { required: ['owner'] } }] },
    ],
  });
export type MetadataObject = z.infer<typeof metadataObject>;

const TOO_MANY_OBJECTS = `metadata_objects must hold at most ${IMPORT_OBJECTS_MAX} objects; send several requests`;

export const metadataImportBody = z
  .strictObject({
    metadata_objects: listOf(metadataObject, { error: 'metadata_objects is required and must be an array' })
      .min(1, 'metadata_objects must not be empty')
      .max(CHECKED_OBJECTS_MAX, TOO_MANY_OBJECTS)
      .superRefine((objects, context) => {
        if (objects.length > IMPORT_OBJECTS_MAX && objects.length <= CHECKED_OBJECTS_MAX) {
          context.addIssue({ code: 'custom', message: TOO_MANY_OBJECTS });
        }
      }, WHERE_LIST)
      .meta({ maxItems: IMPORT_OBJECTS_MAX })
      .describe(`At most ${IMPORT_OBJECTS_MAX}`),
    dry_run: z
      .boolean({ error: 'dry_run must be true or false' })
      .optional()
      .describe('Runs the import, reports the changes and rolls back'),
  })
  .meta({ id: 'MetadataImportRequest' });
export type MetadataImportRequest = z.infer<typeof metadataImportBody>;

/** JSON of an export and of an imported file, which has no limit of 50 objects. */
export const metadataObjectsFile = z
  .strictObject({
    metadata_objects: z.array(metadataObject),
    dry_run: z.boolean().optional().describe('The same as the query parameter'),
  })
  .meta({ id: 'MetadataObjectsFile' });

const metadataChange = z
  .object({
    field: z.string().nullable().describe('The field that changes; null for the object itself'),
    property: z.enum(['display_name', 'description', 'tags', 'domains', 'owner']),
    before: z.union([z.string(), z.array(z.string())]).nullable(),
    after: z.union([z.string(), z.array(z.string())]).nullable(),
  })
  .meta({ id: 'MetadataChange' });
export type MetadataChange = z.infer<typeof metadataChange>;

const metadataResult = z
  .object({
    id: z.string(),
    type: z.enum(FACT_TYPES),
    fact_id: z.string().describe('Empty if the object does not exist or the caller may not see it'),
    success: z.boolean(),
    fields_processed: z.boolean().describe('Whether the request had metadata of fields and it was applied'),
    error_message: z.string().nullable(),
    changes: z.array(metadataChange).optional().describe('Only in a dry run'),
  })
  .meta({ id: 'MetadataResult' });
export type MetadataResult = z.infer<typeof metadataResult>;

const results = {
  metadata_results: z.array(metadataResult).describe('One result per object, in the order of the request'),
  success_count: z.int().min(0),
  failure_count: z.int().min(0),
  total_count: z.int().min(0),
};

export const metadataImportResponse = z.object(results).meta({ id: 'MetadataImportResponse' });
export type MetadataImportResponse = z.infer<typeof metadataImportResponse>;

/** Results if no object was found or all were forbidden, or the error JSON if the caller may not import at all. */
const metadataImportFailure = problemBody
  .extend(z.object(results).partial().shape)
  .meta({ id: 'MetadataImportFailure' });

const JSON_TYPE = 'application/json';

export const metadataOperations = defineOperations('catalog', FOR_API, {
  importMetadata: {
    endpoint: 'POST /metadata/import',
    scopeNeeds: ['metadata:write', 'datamap:write'],
    summary: 'Change descriptions, tags, domains and fields of up to 50 tables, views and datamaps',
    body: {
      ...jsonBody(metadataImportBody, { bytesMax: IMPORT_BYTES_MAX, valuesMax: IMPORT_VALUES_MAX }),
      detailsMax: IMPORT_DETAILS_MAX,
    },
    responses: {
      200: { description: 'The result for each object', mediaType: JSON_TYPE, schema: metadataImportResponse },
      403: {
        description: 'The caller may not change any of the objects',
        mediaType: JSON_TYPE,
        schema: metadataImportFailure,
      },
      404: { description: 'None of the objects exists', mediaType: JSON_TYPE, schema: metadataImportFailure },
    },
    problems: ['idempotency_key_reused', 'precondition_failed', 'too_many_requests'],
  },
});
