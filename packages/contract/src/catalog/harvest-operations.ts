import type { Operation } from '../operations/operation.ts';
import { harvestRunsBody, harvestStartedBody } from './harvest.ts';

/** Mirroring the catalogs of the tenant's engine. */
export const harvestOperations = {
  startHarvest: {
    id: 'startHarvest',
    method: 'POST',
    path: '/admin/harvest',
    summary: 'Mirror the catalogs of the engine now; one that is under way is answered instead',
    credentials: ['idtoken'],
    permission: 'catalog:harvest',
    answers: {
      202: { description: 'It is queued, or under way', mediaType: 'application/json', schema: harvestStartedBody },
    },
    problems: ['audit_unavailable', 'service_unavailable'],
  },
  listHarvests: {
    id: 'listHarvests',
    method: 'GET',
    path: '/admin/harvest',
    summary: 'The last twenty harvests, the newest first',
    credentials: ['idtoken'],
    permission: 'catalog:harvest',
    answers: { 200: { description: 'Harvests', mediaType: 'application/json', schema: harvestRunsBody } },
    problems: ['audit_unavailable', 'service_unavailable'],
  },
} as const satisfies Record<string, Operation>;
