import { UsageError } from '../errors.ts';

/**
 * Returns the base URL of a host without a slash at its end. A name without a scheme, such as `acme-api.example.com`, becomes https.
 * @param name - where the text was given, such as `--api-url`, for the message
 * @throws UsageError if the text is not such a URL
 */
export function readBaseUrl(name: string, text: string): string {
  const candidate = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(candidate) ? new URL(candidate) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.hostname === '')
    throw new UsageError(`${name} must be an http or https URL, such as https://acme-api.example.com.`);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UsageError(`${name} must not contain a user name, a query or a fragment.`);
  return url.href.replace(/\/+$/, '');
}

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname.endsWith('.localhost') || /^(127\.|\[::1\]$)/.test(hostname);

/** Returns whether what is sent to this URL can be read on the way: plain HTTP to another computer. */
export function isUnencrypted(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopback(hostname);
}

/**
 * Returns whether the host that has this URL takes credentials without a tenant for those of this tenant: its name begins with the tenant,
 * or it is on this computer. Any other host may have DEFAULT_TENANT, where the same e-mail and password may belong to another account.
 */
export function namesTenant(url: string, tenant: string): boolean {
  const { hostname } = new URL(url);
  return hostname.startsWith(`${tenant.toLowerCase()}-`) || isLoopback(hostname);
}

/**
 * Returns what the name of an API host says by the default of API_HOST_SUFFIX and STREAM_HOST_SUFFIX: `acme-api.example.com` belongs to the tenant
 * `acme`, whose stream host is `acme-stream.example.com`. A port other than the scheme's says nothing about the other host's.
 */
export function guessFromApiUrl(apiUrl: string): { readonly tenant?: string; readonly streamUrl?: string } {
  const url = new URL(apiUrl);
  const [, tenant] = /^([a-z0-9][a-z0-9-]*)-api\./.exec(url.hostname) ?? [];
  if (tenant === undefined) return {};
  if (url.port !== '' || url.pathname !== '/') return { tenant };
  url.hostname = url.hostname.replace(/-api\./, '-stream.');
  return { tenant, streamUrl: url.href.replace(/\/+$/, '') };
}
