import { createFindTenant, createFindTenants } from '../use-cases/administration/find-tenants.ts';
import { type AdministrationUseCases, createAdministrationUseCases } from './administration-use-cases.ts';
import { type CatalogUseCases, createCatalogUseCases } from './catalog-use-cases.ts';
import type { ApiContext } from './context.ts';
import { createDatamapUseCases, type DatamapUseCases } from './datamap-use-cases.ts';
import { createIdentityUseCases, type IdentityUseCases } from './identity-use-cases.ts';
import { createTenantUseCases, type TenantUseCases } from './tenant-use-cases.ts';

/** The finished use-cases that the routes of this host call. */
export interface UseCases
  extends IdentityUseCases,
    CatalogUseCases,
    DatamapUseCases,
    AdministrationUseCases,
    TenantUseCases,
    FindTenantUseCases {}

type FindTenantUseCases = ReturnType<typeof createFindTenantUseCases>;

const createFindTenantUseCases = ({ stores }: Pick<ApiContext, 'stores'>) => ({
  findTenants: createFindTenants(stores),
  findTenant: createFindTenant(stores),
});

export function createUseCases(context: ApiContext): UseCases {
  const { stores, settings, now } = context;
  const datamaps = createDatamapUseCases(context);
  return {
    ...createIdentityUseCases(context),
    ...createCatalogUseCases(context),
    ...datamaps,
    ...createAdministrationUseCases(context, datamaps.describeSql),
    ...createTenantUseCases({
      operator: stores.operator,
      invitationLifetimeMs: settings.invitationLifetimeMs,
      now,
    }),
    ...createFindTenantUseCases(context),
  };
}
