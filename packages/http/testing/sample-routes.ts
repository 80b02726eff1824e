import { ProblemError } from '@sluice/contract';
import { z } from 'zod';
import { json, route } from '../src/index.ts';
import { operation } from './start-app.ts';

/** `POST /guarded`: a permission, a small JSON body; answers what the steps before the handler have found. */
export const guardedRoute = route(
  operation({
    id: 'guarded',
    method: 'POST',
    path: '/guarded',
    credentials: ['basic', 'idtoken', 'bearer'],
    permission: 'query:run',
    body: {
      schema: z.strictObject({ name: z.string(), size: z.int().min(1).optional() }),
      mediaTypes: ['application/json'],
      bytesMax: 4000,
      valuesMax: 1000,
    },
  }),
  async ({ body, principal, tenant }) => json(200, { name: body.name, user: principal.name, tenant: tenant.name }),
);

/** `GET /things/{id}?page=`. */
export const byIdRoute = route(
  operation({
    id: 'byId',
    path: '/things/{id}',
    params: z.strictObject({ id: z.string() }),
    query: z.strictObject({ page: z.string().optional() }),
  }),
  async ({ params, query }) => json(200, { id: params.id, page: query.page }),
);

/** `GET /things/all`, which `/things/{id}` would match too. */
export const literalRoute = route(operation({ id: 'literal', path: '/things/all' }), async () =>
  json(200, { literal: true }),
);

/** `GET /failing`: our own fault, with words that nobody outside may read. */
export const failingRoute = route(operation({ id: 'failing', path: '/failing' }), async () => {
  throw new Error('connection to db-7.internal refused for SELECT secret');
});

/** `GET /denying`: refused by the handler. */
export const denyingRoute = route(
  operation({ id: 'denying', path: '/denying', credentials: ['idtoken'] }),
  async () => {
    throw new ProblemError('access_denied', 'Not yours.');
  },
);
