import { ProblemError } from '@sluice/contract';
import type { Request } from 'express';

const countOf = (rawHeaders: readonly string[], name: string): number =>
  rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === name).length;

/** Characters with which a host name parses as the beginning of a longer address. */
const NOT_HOST = /[/?#@\\]/;

/**
 * Refuses a request whose host can be read in two ways (RFC 9112 section 3.2): none or two Host headers, or a target in
 * absolute form that names another host. A proxy before us may have believed the other one.
 * `named` is the host that the client named, by the Host header or a trusted proxy.
 */
export function checkHost(req: Request, named: string = req.headers.host ?? ''): void {
  const hosts = countOf(req.rawHeaders, 'host');
  if (hosts > 1 || (hosts === 0 && req.httpVersion !== '1.0')) {
    throw new ProblemError('invalid_request', 'Send exactly one Host header.', {
      details: [{ path: 'header.host', message: `there are ${hosts} of them` }],
    });
  }
  if (named !== '' && (NOT_HOST.test(named) || !URL.canParse(`http://${named}`))) {
    throw new ProblemError('invalid_request', 'The Host header is no host name.', {
      details: [{ path: 'header.host', message: 'is not a host name with an optional port' }],
    });
  }
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(req.url);
  if (absolute !== null && absolute[1]?.toLowerCase() !== req.headers.host?.toLowerCase()) {
    throw new ProblemError('invalid_request', 'The request target names another host than the Host header.', {
      details: [{ path: 'header.host', message: 'differs from the host of the request target' }],
    });
  }
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Reads the tenant's name out of host names `<tenant>-<suffix>`. A suffix that ends in `.*` stands for any domain
 * (`stream.*`). The function gives undefined for a host name that has not this form, and '' where the name is empty.
 */
export function tenantNameReader(suffix: string): (hostname: string) => string | undefined {
  const domain = suffix.endsWith('.*') ? `${escapeRegExp(suffix.slice(0, -2))}\\..+` : escapeRegExp(suffix);
  const form = new RegExp(`^([^.]*)-${domain}$`);
  return (hostname) => form.exec(hostname.toLowerCase().replace(/\.$/, ''))?.[1];
}
