import { ANONYMOUS, defineOperations, jsonResponse } from './define-operations.ts';
import { healthBody, readinessBody } from './health.ts';

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
