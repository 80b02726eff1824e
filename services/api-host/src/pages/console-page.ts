import { randomBytes } from 'node:crypto';
import { escapeHtml, html, type RouteResponse } from '@sluice/http';
import { VERSION } from '../version.ts';
import { page } from './page.ts';

const NONCE_BYTES = 16;

/** Tenant and hosts of the console, which it needs for its first request. */
export interface ConsoleAddresses {
  readonly tenant: string;
  /** Origin of this host as the browser sees it. */
  readonly api: string;
  /** Origin of the stream host as the browser sees it. */
  readonly stream: string;
}

/**
 * Allows only files of this host and requests to the two hosts. Styles without a file need the nonce: CodeMirror writes its style
 * sheet at run time. Pictures of charts are `blob:` addresses. A ticket is opened in a hidden frame, so that an error of the host does
 * not replace the page; the response itself forbids that a frame shows it.
 */
const contentSecurityPolicy = ({ api, stream }: ConsoleAddresses, nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob:",
    `connect-src 'self' ${[...new Set([api, stream])].join(' ')}`,
    `frame-src ${stream}/tickets/`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const meta = (name: string, content: string): string =>
  `<meta name="sluice-${name}" content="${escapeHtml(content)}" />`;

/**
 * Renders index.html for one request. Nothing in it is secret: the console logs in afterwards.
 * @param page - content of index.html of the build, which has one `<head>`
 */
export function renderConsolePage(page: string, addresses: ConsoleAddresses): RouteResponse {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const head = [
    meta('tenant', addresses.tenant),
    meta('api-url', addresses.api),
    meta('stream-url', addresses.stream),
    meta('version', VERSION),
    `<meta property="csp-nonce" nonce="${nonce}" />`,
  ];
  return html(
    200,
    page.replace('<head>', () => ['<head>', ...head].join('\n    ')),
    {
      'content-security-policy': contentSecurityPolicy(addresses, nonce),
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      // With no-referrer, browsers would send `Origin: null` with a POST that is not a CORS request.
      'referrer-policy': 'same-origin',
    },
  );
}

/**
 * Says why the console cannot be shown.
 * @param sentence - HTML
 */
export const consoleUnavailablePage = (status: 404 | 503, sentence: string): RouteResponse =>
  page({ status, title: 'Sluice console', body: `<p>${sentence}</p>` });
