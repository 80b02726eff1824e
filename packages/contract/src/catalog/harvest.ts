import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';

const HARVEST_STATES = ['QUEUED', 'RUNNING', 'FINISHED', 'FAILED'] as const;

const harvestRunBody = z
  .object({
    run_id: z.string(),
    state: z.enum(HARVEST_STATES),
    reason: z.enum(['start', 'schedule', 'request']).describe('Trigger of the harvest'),
    requested_by: z.string().nullable().describe('User who requested the harvest; null if the host started it'),
    requested_ts: epochMs,
    started_ts: epochMs.nullable(),
    ended_ts: epochMs.nullable(),
    attempts: z.int().describe('How often a host started or resumed the harvest'),
    tables: z.int().describe('Tables and views listed by the engine so far'),
    columns: z.int().describe('Their columns'),
    tables_changed: z.int().describe('Tables and views that are new, changed or present again'),
    tables_absent: z.int().describe('Tables and views that are missing since the previous harvest'),
    names_skipped: z.int().describe('Tables and columns whose names are too long to store'),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'HarvestRun' });
export type HarvestRunBody = z.infer<typeof harvestRunBody>;

export const harvestStartedBody = z
  .object({ run_id: z.string(), state: z.enum(HARVEST_STATES) })
  .meta({ id: 'HarvestStarted' });

export const harvestRunsBody = z.object({ data: z.array(harvestRunBody) }).meta({ id: 'HarvestRuns' });
