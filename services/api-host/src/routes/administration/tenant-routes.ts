import { createOperatorGate } from '@sluice/auth';
import { operatorOperations, ProblemError } from '@sluice/contract';
import { type GuardedRequest, json, type Route, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import { requestOrigin } from '../../request/request-origin.ts';
import { createChangeTenants } from '../../use-cases/administration/change-tenants.ts';
import { createFindTenants } from '../../use-cases/administration/find-tenants.ts';
import { createMakeInvitation } from '../../use-cases/administration/make-invitation.ts';

type OperatorContext = Pick<ApiContext, 'stores' | 'settings' | 'now'>;

/** A refusal tells of no tenant, so it is in the host's own log alone; what reads or changes a tenant is in that tenant's. */
function createGuard(token: string, now: () => number): NonNullable<Route['guard']> {
  const gate = createOperatorGate({ token, now });
  return async ({ headers, address, operation, log }: GuardedRequest) => {
    try {
      gate(headers.get('authorization'), address);
    } catch (thrown) {
      if (thrown instanceof ProblemError) {
        log.warn({ event: 'operator_refused', problem: thrown.code, address }, 'an operator token was refused');
      }
      throw thrown;
    }
    log.info({ event: 'operator_request', operation: operation.id, address }, 'the operator asks');
  };
}

/** Everything below /operator/tenants; nothing where the deployment has no OPERATOR_TOKEN. */
export function operatorRoutes({ stores, settings, now }: OperatorContext): Route[] {
  const { operatorToken, invitationLifetimeMs: lifetimeMs } = settings;
  if (operatorToken === undefined) return [];
  const find = createFindTenants(stores);
  const change = createChangeTenants(stores.operator);
  const invite = createMakeInvitation({ lifetimeMs, now });
  const routes: readonly Route[] = [
    route(operatorOperations.listTenants, async (request) =>
      json(200, { data: await find.all(requestOrigin(request)) }),
    ),
    route(operatorOperations.getTenant, async ({ params, ...request }) =>
      json(200, await find.one(params.name, requestOrigin(request))),
    ),
    route(operatorOperations.createTenant, async ({ body, baseUrl, ...request }) => {
      const { shown, kept } = invite({ tenantName: body.name, baseUrl });
      const { admin_email: adminEmail, email_domains: emailDomains = null } = body;
      const wish = { tenantName: body.name, adminEmail, emailDomains, invitation: kept };
      const tenant = await change.create(wish, requestOrigin(request));
      return json(201, { ...tenant, invitation: shown }, { location: `/operator/tenants/${tenant.name}` });
    }),
    route(operatorOperations.updateTenant, async ({ params, body, ...request }) => {
      const wish = { tenantName: params.name, emailDomains: body.email_domains };
      return json(200, await change.setEmailDomains(wish, requestOrigin(request)));
    }),
    route(operatorOperations.inviteAdmin, async ({ params, body, baseUrl, ...request }) => {
      const { shown, kept } = invite({ tenantName: params.name, baseUrl });
      const wish = { tenantName: params.name, adminEmail: body.admin_email, invitation: kept };
      return json(201, { ...(await change.invite(wish, requestOrigin(request))), invitation: shown });
    }),
    route(operatorOperations.suspendTenant, async ({ params, ...request }) =>
      json(200, await change.suspend(params.name, requestOrigin(request))),
    ),
    route(operatorOperations.resumeTenant, async ({ params, ...request }) =>
      json(200, await change.resume(params.name, requestOrigin(request))),
    ),
    route(operatorOperations.removeTenant, async ({ params, ...request }) =>
      json(202, await change.requestRemoval(params.name, requestOrigin(request))),
    ),
  ];
  const guard = createGuard(operatorToken.reveal(), now);
  return routes.map((each) => ({ ...each, guard }));
}
