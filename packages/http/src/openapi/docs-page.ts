import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { ProblemError } from '@sluice/contract';
import { bytes, html, type RouteResponse } from '../model/route-response.ts';

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

export const docsPage = (): RouteResponse => html(200, PAGE, { 'content-security-policy': CONTENT_SECURITY_POLICY });

/** Returns a file of the page, or throws `not_found`. Names are looked up, never joined to a path. */
export async function docsAsset(name: string): Promise<RouteResponse> {
  if (name === 'start.js') {
    return bytes(200, 'text/javascript; charset=utf-8', new TextEncoder().encode(START_SCRIPT), CACHED);
  }
  const mediaType = Object.hasOwn(MEDIA_TYPES, name) ? MEDIA_TYPES[name] : undefined;
  if (mediaType === undefined) throw new ProblemError('not_found', 'The documentation page has no such file.');
  return bytes(200, mediaType, await readFile(resolve(`swagger-ui-dist/${name}`)), CACHED);
}
