import { healthBody, readinessBody } from './health.ts';
import type { Operation } from './operation.ts';

const health = { description: 'State of the process', mediaType: 'application/json', schema: healthBody };

/** Probes of every host. */
export const probeOperations = {
  root: {
    id: 'root',
    subject: 'health',
    method: 'GET',
    path: '/',
    summary: 'Get the health of the host, for people',
    credentials: [],
    responses: { 200: health },
    problems: [],
  },
  health: {
    id: 'health',
    subject: 'health',
    method: 'GET',
    path: '/health',
    summary: 'Health probe: 200 with `degraded` while a back end is down, 503 while draining',
    credentials: [],
    responses: { 200: health, 503: health },
    problems: ['service_unavailable'],
  },
  live: {
    id: 'live',
    subject: 'health',
    method: 'GET',
    path: '/live',
    summary: 'Liveness probe: 200 while the process works, also while draining',
    credentials: [],
    responses: { 200: health },
    problems: ['service_unavailable'],
  },
  ready: {
    id: 'ready',
    subject: 'health',
    method: 'GET',
    path: '/ready',
    summary: 'Readiness probe: 200 if every back end responds and PostgreSQL accepts durable writes',
    credentials: [],
    responses: {
      200: { description: 'Ready', mediaType: 'application/json', schema: readinessBody },
      503: { description: 'Not ready', mediaType: 'application/json', schema: readinessBody },
    },
    problems: [],
  },
} as const satisfies Record<string, Operation>;
