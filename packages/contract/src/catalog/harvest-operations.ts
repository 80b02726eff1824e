import { API_CREDENTIALS, type Operation } from '../operations/operation.ts';
import { harvestRunsBody, harvestStartedBody } from './harvest.ts';

/** Harvests: mirroring the catalogs of the tenant's engine. */
export const harvestOperations = {
  startHarvest: {
    id: 'startHarvest',
    subject: 'catalog',
    method: 'POST',
    path: '/admin/harvest',
    summary: 'Start a harvest of the engine catalogs, or return the one in progress',
    credentials: API_CREDENTIALS,
    permission: 'catalog:harvest',
    responses: {
      202: {
        description: 'The harvest is queued or running',
        mediaType: 'application/json',
        schema: harvestStartedBody,
      },
    },
    problems: ['audit_unavailable', 'service_unavailable'],
  },
  listHarvests: {
    id: 'listHarvests',
    subject: 'catalog',
    method: 'GET',
    path: '/admin/harvest',
    summary: 'List the last twenty harvests, newest first',
    credentials: API_CREDENTIALS,
    permission: 'catalog:harvest',
    responses: { 200: { description: 'Harvests', mediaType: 'application/json', schema: harvestRunsBody } },
    problems: ['audit_unavailable', 'service_unavailable'],
  },
} as const satisfies Record<string, Operation>;
