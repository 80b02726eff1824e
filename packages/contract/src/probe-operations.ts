import { healthBody, readinessBody } from './health.ts';
import type { Operation } from './operation.ts';

const health = { description: 'Alive', mediaType: 'application/json', schema: healthBody };

/** What every host answers about its own life. */
export const probeOperations = {
  root: {
    id: 'root',
    method: 'GET',
    path: '/',
    summary: 'Health, for people',
    credentials: [],
    answers: { 200: health },
    problems: [],
  },
  health: {
    id: 'health',
    method: 'GET',
    path: '/health',
    summary: 'Liveness and readiness probe',
    credentials: [],
    answers: { 200: health, 503: health },
    problems: [],
  },
  ready: {
    id: 'ready',
    method: 'GET',
    path: '/ready',
    summary: 'Whether every back end answers',
    credentials: [],
    answers: {
      200: { description: 'Ready', mediaType: 'application/json', schema: readinessBody },
      503: { description: 'Not ready', mediaType: 'application/json', schema: readinessBody },
    },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
