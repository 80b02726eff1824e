import { z } from 'zod';

export const HARVEST_STATES = ['QUEUED', 'RUNNING', 'FINISHED', 'FAILED'] as const;

const epochMs = z.int().describe('Epoch milliseconds');

export const harvestRunBody = z
  .object({
    run_id: z.string(),
    state: z.enum(HARVEST_STATES),
    reason: z.enum(['start', 'schedule', 'request']).describe('What it was begun for'),
    requested_by: z.string().nullable().describe('Who asked for it; null for the host itself'),
    requested_ts: epochMs,
    started_ts: epochMs.nullable(),
    ended_ts: epochMs.nullable(),
    attempts: z.int().describe('How often a host began or went on with it'),
    tables: z.int().describe('Tables and views that the engine listed so far'),
    columns: z.int().describe('Their columns'),
    tables_changed: z.int().describe('Those that were new, changed, or back'),
    tables_absent: z.int().describe('Those that vanished since the run before'),
    names_skipped: z.int().describe('Tables and columns whose names are too long to be kept'),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'HarvestRun' });
export type HarvestRunBody = z.infer<typeof harvestRunBody>;

export const harvestStartedBody = z
  .object({ run_id: z.string(), state: z.enum(HARVEST_STATES) })
  .meta({ id: 'HarvestStarted' });

export const harvestRunsBody = z.object({ data: z.array(harvestRunBody) }).meta({ id: 'HarvestRuns' });
