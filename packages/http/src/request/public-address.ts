import type { Request } from 'express';

/** Rules for the address by which clients reach a host. */
export interface AddressRules {
  /** Origin, with `{tenant}` if each tenant has its own host name. */
  readonly publicUrl?: string | undefined;
  /** Whether trusted proxies set `X-Forwarded-Host` themselves instead of forwarding the client's. Default: false. */
  readonly trustsForwardedHost?: boolean | undefined;
}

const forwardedHost = (req: Request, { trustsForwardedHost = false }: AddressRules): string | undefined => {
  // Express reads the header only from trusted proxies, and returns the Host header otherwise.
  const host = trustsForwardedHost ? req.host : undefined;
  return host !== req.headers.host ? host : undefined;
};

/** Returns the host that the client requested, with its port. */
export const requestHost = (req: Request, rules: AddressRules): string =>
  forwardedHost(req, rules) ?? req.headers.host ?? '';

/** Returns the host that the client requested, without its port. */
export const requestHostname = (req: Request, rules: AddressRules): string =>
  requestHost(req, rules).replace(/:\d*$/, '');

function publicOrigin({ publicUrl }: AddressRules, tenantName: string | undefined): string | undefined {
  if (publicUrl === undefined) return undefined;
  if (tenantName === undefined && publicUrl.includes('{tenant}')) return undefined;
  return new URL(publicUrl.replaceAll('{tenant}', tenantName ?? '')).origin;
}

/** Returns the origin of this host as the client sees it: from a trusted proxy, else from the settings, else from the request. */
export function baseUrlOf(req: Request, rules: AddressRules, tenantName: string | undefined): string {
  const received = `${req.secure ? 'https' : 'http'}://${requestHost(req, rules)}`;
  if (forwardedHost(req, rules) !== undefined) return received;
  return publicOrigin(rules, tenantName) ?? received;
}

/** Checks whether the client uses TLS, to this host or to a proxy in front of it. */
export const isSecureRequest = (req: Request, { publicUrl }: AddressRules): boolean =>
  req.secure || publicUrl?.startsWith('https:') === true;
