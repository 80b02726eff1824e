import { z } from 'zod';
import { ANONYMOUS, defineOperations, jsonResponse } from './define-operations.ts';

const healthBody = z
  .object({
    status: z
      .enum(['ok', 'degraded', 'draining'])
      .describe('`degraded`: a back end is down, and restarting this process would not help'),
    service: z.string(),
  })
  .meta({ id: 'Health' });

const readinessBody = z
  .object({
    status: z.enum(['ready', 'not_ready', 'draining']),
    service: z.string(),
    checks: z.record(z.string(), z.enum(['ok', 'down'])),
  })
  .meta({ id: 'Readiness' });

const health = jsonResponse('State of the process', healthBody);

/** Probes of every host. */
export const probeOperations = defineOperations('health', ANONYMOUS, {
  root: {
    endpoint: 'GET /',
    summary: 'Get the health of the host, for people',
    responses: { 200: health },
  },
  health: {
    endpoint: 'GET /health',
    summary: 'Health probe: 200 with `degraded` while a back end is down, 503 while draining',
    responses: { 200: health, 503: health },
    problems: ['service_unavailable'],
  },
  live: {
    endpoint: 'GET /live',
    summary: 'Liveness probe: 200 while the process works, also while draining',
    responses: { 200: health },
    problems: ['service_unavailable'],
  },
  ready: {
    endpoint: 'GET /ready',
    summary: 'Readiness probe: 200 if every back end responds and PostgreSQL accepts durable writes',
    responses: {
      200: jsonResponse('Ready', readinessBody),
      503: jsonResponse('Not ready', readinessBody),
    },
  },
});
