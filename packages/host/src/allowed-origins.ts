import type { Tenant } from '@sluice/contract';
import type { AllowedOrigins } from '@sluice/http';

const LOOPBACK = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\]|[a-z0-9-]+\.localhost)(:\d{1,5})?$/;

const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?|[a-z0-9-]+\.localhost)\.?$/i;

/** Names that cannot lead here from anywhere but this machine (RFC 6761 section 6.3). */
export const isLoopbackName = (hostname: string): boolean => LOOPBACK_NAME.test(hostname);

export interface AllowedOriginsOptions {
  /** With `{tenant}`. */
  readonly tenantOrigins: readonly string[];
  readonly allowsLoopback: boolean;
}

/** Origins are matched exactly (RFC 6454 section 5): the tenant's own two hosts, and those that its settings list. */
export function createAllowedOrigins({ tenantOrigins, allowsLoopback }: AllowedOriginsOptions): AllowedOrigins {
  const isOwn = (origin: string, tenant: Tenant): boolean =>
    tenantOrigins.some((template) => template.replaceAll('{tenant}', tenant.name) === origin);

  return (origin, tenant) => {
    if (allowsLoopback && LOOPBACK.test(origin)) return true;
    if (tenant === undefined) return false;
    return isOwn(origin, tenant) || (tenant.settings.allowedOrigins ?? []).includes(origin);
  };
}
