import { apiOperations } from '@sluice/contract';
import { json, type Route, route } from '@sluice/http';
import type { ApiContext } from '../../context.ts';
import { createApplyFile } from '../../use-cases/administration/apply-file.ts';
import { createMakeInvitation } from '../../use-cases/administration/make-invitation.ts';

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
  const apply = createApplyFile({ administration: stores.administration, passwords, invite, engines, oidc, box });
  return route(apiOperations.applyConfiguration, async ({ body, baseUrl, ...caller }) =>
    json(200, await apply(caller, body, baseUrl)),
  );
}
