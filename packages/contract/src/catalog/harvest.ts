import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { defineOperations, FOR_API, jsonResponse } from '../operations/define-operations.ts';

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

const harvestStartedBody = z
  .object({ run_id: z.string(), state: z.enum(HARVEST_STATES) })
  .meta({ id: 'HarvestStarted' });

const harvestRunsBody = z.object({ data: z.array(harvestRunBody) }).meta({ id: 'HarvestRuns' });

/** Harvests: mirroring the catalogs of the tenant's engine. */
export const harvestOperations = defineOperations('catalog', FOR_API, {
  startHarvest: {
    endpoint: 'POST /admin/harvest',
    summary: 'Start a harvest of the engine catalogs, or return the one in progress',
    permission: 'catalog:harvest',
    responses: {
      202: jsonResponse('The harvest is queued or running', harvestStartedBody),
    },
    problems: ['audit_unavailable', 'service_unavailable'],
  },
  listHarvests: {
    endpoint: 'GET /admin/harvest',
    summary: 'List the last twenty harvests, newest first',
    permission: 'catalog:harvest',
    responses: { 200: jsonResponse('Harvests', harvestRunsBody) },
    problems: ['audit_unavailable', 'service_unavailable'],
  },
});
