import { ProblemError, TENANT_NAME, type Tenant } from '@sluice/contract';
import type { TenantDirectory } from '../model/ports.ts';

const unknown = () => new ProblemError('not_found', 'There is no such tenant.');

/** Finds a tenant or throws `not_found`. Invalid names never reach the store. */
export async function findTenant(tenants: TenantDirectory, name: string): Promise<Tenant> {
  const tenant = TENANT_NAME.test(name) ? await tenants.find(name) : undefined;
  if (tenant === undefined) throw unknown();
  return tenant;
}

/** Finds the tenant in the path. It must equal the tenant of the host name, if any, and must not be suspended. */
export async function findPathTenant(
  tenants: TenantDirectory,
  name: string,
  ofHost: Tenant | undefined,
): Promise<Tenant> {
  if (ofHost !== undefined && ofHost.name !== name) throw unknown();
  const tenant = ofHost ?? (await findTenant(tenants, name));
  if (tenant.state === 'suspended') throw new ProblemError('access_denied', 'This tenant is suspended.');
  return tenant;
}
