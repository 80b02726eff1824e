import { createHash } from 'node:crypto';
import { html, htmlPage, PAGE_STYLE, type PageLanguage, type ResponseHeaders, type RouteResponse } from '@sluice/http';

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

interface Page {
  readonly status: number;
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** Language of title and body. Default: English. */
  readonly language?: PageLanguage;
  /** Origins, in addition to our own, to which a form may submit or redirect (CSP Level 3 section 6.4.2). */
  readonly formTargets?: readonly string[];
  readonly headers?: ResponseHeaders;
}

/** Returns a page without scripts that loads no resources and that no site can frame. */
export function page({ status, title, body, language = 'en', formTargets = [], headers = {} }: Page): RouteResponse {
  return html(status, htmlPage({ title, body, language }), {
    'content-security-policy':
      `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; form-action ${["'self'", ...formTargets].join(' ')}; ` +
      "base-uri 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    // With no-referrer, browsers send `Origin: null` with the form, and `requireOwnOrigin` would reject it.
    'referrer-policy': 'same-origin',
    ...headers,
  });
}
