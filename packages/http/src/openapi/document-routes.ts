import type { Operation } from '@sluice/contract';
import { z } from 'zod';
import { type Route, route } from '../model/route.ts';
import { json } from '../model/route-response.ts';
import { docsAsset, docsPage } from './docs-page.ts';
import { createOpenApiDocument, type DocumentInfo } from './openapi-document.ts';

const open = { subject: 'health', method: 'GET', credentials: [] } as const;

/** Documentation endpoints of every host. */
export const documentOperations = {
  openApi: {
    ...open,
    id: 'openApi',
    path: '/openapi.json',
    summary: 'Get the OpenAPI 3.1 document of the host',
    responses: { 200: { description: 'OpenAPI 3.1', mediaType: 'application/json' } },
    problems: [],
  },
  docs: {
    ...open,
    id: 'docs',
    path: '/docs',
    summary: 'Show the interactive API documentation',
    responses: { 200: { description: 'A page', mediaType: 'text/html' } },
    problems: [],
  },
  docsAsset: {
    ...open,
    id: 'docsAsset',
    path: '/docs/{name}',
    summary: 'Get a file of the documentation page',
    params: z.strictObject({ name: z.string() }),
    responses: { 200: { description: 'The file', mediaType: '*/*' } },
    problems: ['not_found'],
  },
} as const satisfies Record<string, Operation>;

/**
 * Creates the routes `/openapi.json` and `/docs`, which document `routes` and themselves. The first request builds the document,
 * because that takes about 0.1 s, which every start of a host would have to wait.
 */
export function documentRoutes(options: { readonly routes: readonly Route[]; readonly info: DocumentInfo }): Route[] {
  const operations = [...options.routes.map(({ operation }) => operation), ...Object.values(documentOperations)];
  let document: object | undefined;
  return [
    route(documentOperations.openApi, async () => {
      document ??= createOpenApiDocument(operations, options.info);
      return json(200, document, { 'cache-control': 'no-cache' });
    }),
    route(documentOperations.docs, async () => docsPage()),
    route(documentOperations.docsAsset, async ({ params }) => await docsAsset(params.name)),
  ];
}
