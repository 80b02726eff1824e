import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { ANONYMOUS, defineOperations, ProblemError } from '@sluice/contract';
import { z } from 'zod';
import { type Route, route } from '../model/route.ts';
import { bytes, html, json, type RouteResponse } from '../model/route-response.ts';
import { createOpenApiDocument, type DocumentInfo } from './openapi-document.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sluice API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

// The validator is off, because it would send the address of the document to an external server.
const START_SCRIPT = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#docs', deepLinking: true, validatorUrl: null });
`;

/** Allows only files of this host. The components of the page use style attributes. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};
const CACHED = { 'cache-control': 'public, max-age=3600' };

const { resolve } = createRequire(import.meta.url);

const docsPage = (): RouteResponse => html(200, PAGE, { 'content-security-policy': CONTENT_SECURITY_POLICY });

/** Returns a file of the page, or throws `not_found`. Names are looked up, never joined to a path. */
async function docsAsset(name: string): Promise<RouteResponse> {
  if (name === 'start.js') {
    return bytes(200, 'text/javascript; charset=utf-8', new TextEncoder().encode(START_SCRIPT), CACHED);
  }
  const mediaType = Object.hasOwn(MEDIA_TYPES, name) ? MEDIA_TYPES[name] : undefined;
  if (mediaType === undefined) throw new ProblemError('not_found', 'The documentation page has no such file.');
  return bytes(200, mediaType, await readFile(resolve(`swagger-ui-dist/${name}`)), CACHED);
}

/** Documentation endpoints of every host. */
export const documentOperations = defineOperations('health', ANONYMOUS, {
  openApi: {
    endpoint: 'GET /openapi.json',
    summary: 'Get the OpenAPI 3.1 document of the host',
    responses: { 200: { description: 'OpenAPI 3.1', mediaType: 'application/json' } },
  },
  docs: {
    endpoint: 'GET /docs',
    summary: 'Show the interactive API documentation',
    responses: { 200: { description: 'A page', mediaType: 'text/html' } },
  },
  docsAsset: {
    endpoint: 'GET /docs/{name}',
    summary: 'Get a file of the documentation page',
    params: z.strictObject({ name: z.string() }),
    responses: { 200: { description: 'The file', mediaType: '*/*' } },
    problems: ['not_found'],
  },
});

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
