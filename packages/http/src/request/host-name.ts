import { ProblemError } from '@sluice/contract';
import type { Request } from 'express';

const countOf = (rawHeaders: readonly string[], name: string): number =>
  rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === name).length;

/** Characters that would make a URL parser read more than a host name. */
const NOT_HOST = /[/?#@\\]/;

/**
 * Rejects a request with an ambiguous host (RFC 9112 section 3.2): no Host header, two of them, or an absolute-form target with
 * another host. A proxy in front may have used the other one.
 * `named` is the requested host, from the Host header or a trusted proxy.
 */
export function checkHost(req: Request, named: string = req.headers.host ?? ''): void {
  const hosts = countOf(req.rawHeaders, 'host');
  if (hosts > 1 || (hosts === 0 && req.httpVersion !== '1.0')) {
    throw new ProblemError('invalid_request', 'Send exactly one Host header.', {
      details: [{ path: 'header.host', message: `was sent ${hosts} times` }],
    });
  }
  if (named !== '' && (NOT_HOST.test(named) || !URL.canParse(`http://${named}`))) {
    throw new ProblemError('invalid_request', 'The Host header is not a valid host name.', {
      details: [{ path: 'header.host', message: 'is not a host name with an optional port' }],
    });
  }
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(req.url);
  if (absolute !== null && absolute[1]?.toLowerCase() !== req.headers.host?.toLowerCase()) {
    throw new ProblemError('invalid_request', 'The request target and the Host header name different hosts.', {
      details: [{ path: 'header.host', message: 'differs from the host of the request target' }],
    });
  }
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Creates a function that extracts the tenant name from host names `<tenant>-<suffix>`. A suffix that ends in `.*` matches any
 * domain (`stream.*`). The function returns undefined for other host names, and '' for an empty tenant name.
 */
export function tenantNameReader(suffix: string): (hostname: string) => string | undefined {
  const domain = suffix.endsWith('.*') ? `${escapeRegExp(suffix.slice(0, -2))}\\..+` : escapeRegExp(suffix);
  const form = new RegExp(`^([^.]*)-${domain}$`);
  return (hostname) => form.exec(hostname.toLowerCase().replace(/\.$/, ''))?.[1];
}
