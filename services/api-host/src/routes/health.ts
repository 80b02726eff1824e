import { apiOperations } from '@sluice/contract';
import { type HealthMonitor, healthRoutes, type Reader, type Route, redirect } from '@sluice/http';
import type { ApiContext } from '../context/context.ts';

/** Browsers name this media type when they load a page. Programs accept anything, or JSON. */
const isBrowser = (headers: Reader): boolean => /\btext\/html\b/.test(headers.get('accept') ?? '');

const FOUND = { 302: { description: 'To the web console, if the client accepts `text/html`' } };

/** Leads browsers to the web console. */
const leadToConsole = (root: Route): Route => ({
  ...root,
  operation: { ...root.operation, responses: { ...root.operation.responses, ...FOUND } },
  handle: async (request) =>
    isBrowser(request.headers) ? redirect(302, '/console/', { vary: 'Origin, Accept' }) : await root.handle(request),
});

/** `/`, `/health`, `/live` and `/ready`. */
export const health = ({ lifecycle }: Pick<ApiContext, 'lifecycle'>, monitor: HealthMonitor) =>
  healthRoutes({ operations: apiOperations, service: 'sluice-api', monitor, lifecycle }).map((each) =>
    each.operation.path === '/' ? leadToConsole(each) : each,
  );
