import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { storableText } from '../fields/text-field.ts';
import { FACT_TYPES } from './metadata.ts';

/** Imports of a tenant that may wait or run at the same time. */
export const OPEN_IMPORTS_MAX = 20;
/** Days for which an import and its report are kept after its end. */
export const IMPORT_KEPT_DAYS = 7;

export const IMPORT_STATES = ['QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];
export const FILE_FORMATS = ['csv', 'ndjson', 'json'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

const flag = (name: string) =>
  z
    .enum(['true', 'false'], { error: `${name} must be true or false` })
    .transform((text) => text === 'true')
    .optional();

const format = z.enum(FILE_FORMATS, { error: 'format must be csv, ndjson or json' }).optional();
const PREFIX_CHARACTERS_MAX = 4096;

export const metadataExportQuery = z.strictObject({
  type: z.enum(FACT_TYPES, { error: 'type must be TABLE, VIEW or DATAMAP' }).optional().describe('Default: all types'),
  prefix: storableText('prefix')
    .max(PREFIX_CHARACTERS_MAX, `prefix must have at most ${PREFIX_CHARACTERS_MAX} characters`)
    .optional()
    .describe('Only objects whose `id` starts with it, such as `demo.vega.`'),
  format: format.describe('Default `json`'),
  all: flag('all').describe('`true`: also objects and fields without metadata'),
});
export type MetadataExportQuery = z.infer<typeof metadataExportQuery>;

export const metadataFileQuery = z.strictObject({
  dry_run: flag('dry_run').describe('`true`: reports the changes and applies nothing'),
});

export const metadataImportParams = z.strictObject({ id: z.string() });

export const metadataReportQuery = z.strictObject({
  format: format.describe('Default `json`'),
  failed: flag('failed').describe('`true`: only the objects that were not applied'),
});
export type MetadataReportQuery = z.infer<typeof metadataReportQuery>;

const count = z.int().min(0);

export const metadataImportStatus = z
  .object({
    import_id: z.string(),
    state: z.enum(IMPORT_STATES),
    format: z.enum(FILE_FORMATS),
    dry_run: z.boolean(),
    requested_by: z.string(),
    requested_ts: epochMs,
    started_ts: epochMs.nullable(),
    ended_ts: epochMs.nullable(),
    attempts: count.describe('How often a host started or resumed the import'),
    progress: z.number().min(0).max(1).describe('Processed share of the objects'),
    total_count: count.describe('Objects of the file'),
    processed_count: count,
    success_count: count,
    failure_count: count,
    changed_count: count.describe('Successful objects with at least one change'),
    error: z.object({ code: z.string(), message: z.string() }).nullable().describe('Why the state is FAILED'),
  })
  .meta({ id: 'MetadataImportStatus' });
export type MetadataImportStatus = z.infer<typeof metadataImportStatus>;
