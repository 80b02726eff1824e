import { createHash } from 'node:crypto';
import { escapeHtml, html, type ResponseHeaders, type RouteResponse } from '@sluice/http';

const STYLE =
  'body{font:16px system-ui,sans-serif;max-width:22rem;margin:12vh auto;padding:0 1rem;color:#1c2430}' +
  'label{display:block;margin:1rem 0 .25rem}input{width:100%;padding:.5rem;box-sizing:border-box;font:inherit}' +
  'button{margin-top:1.5rem;padding:.6rem 1.2rem;font:inherit}[role=alert]{color:#a4161a}';

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

interface Page {
  readonly status: number;
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** Origins, in addition to our own, to which a form may submit or redirect (CSP Level 3 section 6.4.2). */
  readonly formTargets?: readonly string[];
  readonly headers?: ResponseHeaders;
}

/** Returns a page without scripts that loads no resources and that no site can frame. */
export function page({ status, title, body, formTargets = [], headers = {} }: Page): RouteResponse {
  const document = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title>
<style>${STYLE}</style></head>
<body><h1>${escapeHtml(title)}</h1>
${body}
</body></html>
`;
  return html(status, document, {
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${["'self'", ...formTargets].join(' ')}; ` +
      "base-uri 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    // With no-referrer, browsers send `Origin: null` with the form, and `requireOwnOrigin` would reject it.
    'referrer-policy': 'same-origin',
    ...headers,
  });
}
