import type { Tenant } from '@sluice/contract';
import type { AllowedOrigins } from '@sluice/http';

const LOOPBACK = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\]|[a-z0-9-]+\.localhost)(:\d{1,5})?$/;

const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|[a-z0-9-]+\.localhost)\.?$/i;

/** Checks for names that always resolve to this machine (RFC 6761 section 6.3). */
export const isLoopbackName = (hostname: string): boolean => LOOPBACK_NAME.test(hostname);

interface AllowedOriginsOptions {
  /** Origins with `{tenant}`. */
  readonly tenantOrigins: readonly string[];
  readonly allowsLoopback: boolean;
}

/** Creates the CORS check. Origins are compared exactly (RFC 6454 section 5) with the tenant's two hosts and its settings. */
export function createAllowedOrigins({ tenantOrigins, allowsLoopback }: AllowedOriginsOptions): AllowedOrigins {
  const isOwn = (origin: string, tenant: Tenant): boolean =>
    tenantOrigins.some((template) => template.replaceAll('{tenant}', tenant.name) === origin);

  return (origin, tenant) => {
    if (allowsLoopback && LOOPBACK.test(origin)) return true;
    if (tenant === undefined) return false;
    return isOwn(origin, tenant) || (tenant.settings.allowedOrigins ?? []).includes(origin);
  };
}
