import type { Request } from 'express';

/** Rules by which a host finds the address that clients use for it. */
export interface AddressRules {
  /** An origin, with `{tenant}` where tenants have host names of their own. */
  readonly publicUrl?: string | undefined;
  /** Whether trusted proxies set `X-Forwarded-Host` themselves, instead of passing on what a client sent; false by default. */
  readonly trustsForwardedHost?: boolean | undefined;
}

const forwardedHost = (req: Request, { trustsForwardedHost = false }: AddressRules): string | undefined => {
  // Express reads the header from trusted proxies alone, and gives the Host header otherwise.
  const host = trustsForwardedHost ? req.host : undefined;
  return host !== req.headers.host ? host : undefined;
};

/** The host that the client named, with its port. */
export const requestHost = (req: Request, rules: AddressRules): string =>
  forwardedHost(req, rules) ?? req.headers.host ?? '';

/** The same without its port. */
export const requestHostname = (req: Request, rules: AddressRules): string =>
  requestHost(req, rules).replace(/:\d*$/, '');

function publicOrigin({ publicUrl }: AddressRules, tenantName: string | undefined): string | undefined {
  if (publicUrl === undefined) return undefined;
  if (tenantName === undefined && publicUrl.includes('{tenant}')) return undefined;
  return new URL(publicUrl.replaceAll('{tenant}', tenantName ?? '')).origin;
}

/** The address of this host as the client sees it: what a trusted proxy says, else the configured one, else what the client named. */
export function baseUrlOf(req: Request, rules: AddressRules, tenantName: string | undefined): string {
  const received = `${req.secure ? 'https' : 'http'}://${requestHost(req, rules)}`;
  if (forwardedHost(req, rules) !== undefined) return received;
  return publicOrigin(rules, tenantName) ?? received;
}

/** Whether the client speaks TLS, to this host or to a proxy before it. */
export const isSecureRequest = (req: Request, { publicUrl }: AddressRules): boolean =>
  req.secure || publicUrl?.startsWith('https:') === true;
