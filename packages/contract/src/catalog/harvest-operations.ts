import { defineOperations, FOR_API, jsonResponse } from '../operations/define-operations.ts';
import { harvestRunsBody, harvestStartedBody } from './harvest.ts';

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
