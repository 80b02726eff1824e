import { apiOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import { createApplyFile } from '../../use-cases/administration/apply-file.ts';
import { createMakeInvitation } from '../../use-cases/administration/make-invitation.ts';
import { createDescribeSql } from '../../use-cases/datamaps/describe-sql.ts';

/** POST /admin/apply */
export function applyRoute({
  stores,
  passwords,
  settings,
  now,
  engines,
  oidc,
  box,
}: Pick<ApiContext, 'stores' | 'passwords' | 'settings' | 'now' | 'engines' | 'oidc' | 'box'>): Route {
  const invite = createMakeInvitation({ lifetimeMs: settings.invitationLifetimeMs, now });
  const describeSql = createDescribeSql({ engines, audit: stores.audit });
  const apply = createApplyFile({ administration: stores.administration, passwords, invite, describeSql, oidc, box });
  return route(apiOperations.applyConfiguration, async ({ body, baseUrl, ...caller }) =>
    json(200, await apply(caller, body, baseUrl)),
  );
}
