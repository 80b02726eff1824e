import { ProblemError, TENANT_NAME, type Tenant } from '@sluice/contract';
import type { TenantDirectory } from '../model/ports.ts';

const unknown = () => new ProblemError('not_found', 'There is no such tenant.');

/** The tenant of that name, or `not_found`. Names of another shape never reach the store. */
export async function findTenant(tenants: TenantDirectory, name: string): Promise<Tenant> {
  const tenant = TENANT_NAME.test(name) ? await tenants.find(name) : undefined;
  if (tenant === undefined) throw unknown();
  return tenant;
}

/** The tenant that the path names. It must be the host's where the host names one too, and not be suspended. */
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
