import type { OperatorGate } from '@sluice/auth';
import { operatorOperations, ProblemError } from '@sluice/contract';
import { type GuardedRequest, json, type Route, route } from '@sluice/http';
import type { UseCases } from '../../context/use-cases.ts';
import { requestOrigin } from '../../request/request-origin.ts';

type TenantRouteUseCases = Pick<
  UseCases,
  | 'findTenants'
  | 'findTenant'
  | 'createTenant'
  | 'inviteAdmin'
  | 'setEmailDomains'
  | 'suspendTenant'
  | 'resumeTenant'
  | 'requestTenantRemoval'
>;

/** Logs each request. A rejected one belongs to no tenant, so only the log of the host has it; other requests are also audited. */
const createGuard =
  (gate: OperatorGate): NonNullable<Route['guard']> =>
  async ({ headers, address, operation, log }: GuardedRequest) => {
    try {
      gate(headers.get('authorization'), address);
    } catch (thrown) {
      if (thrown instanceof ProblemError) {
        log.warn({ event: 'operator_refused', problem: thrown.code, address }, 'an operator token was rejected');
      }
      throw thrown;
    }
    log.info({ event: 'operator_request', operation: operation.id, address }, 'request of the operator');
  };

/** Everything below /operator/tenants; no routes without a gate, that is, without OPERATOR_TOKEN. */
export function operatorRoutes(useCases: TenantRouteUseCases, gate: OperatorGate | undefined): Route[] {
  if (gate === undefined) return [];
  const routes: readonly Route[] = [
    route(operatorOperations.listTenants, async (request) =>
      json(200, { data: await useCases.findTenants(requestOrigin(request)) }),
    ),
    route(operatorOperations.getTenant, async (request) =>
      json(200, await useCases.findTenant(requestOrigin(request), request.params.name)),
    ),
    route(operatorOperations.createTenant, async (request) => {
      const { body, baseUrl } = request;
      const { admin_email: adminEmail, email_domains: emailDomains = null } = body;
      const input = { tenantName: body.name, adminEmail, emailDomains, baseUrl };
      const { tenant, invitation } = await useCases.createTenant(requestOrigin(request), input);
      return json(201, { ...tenant, invitation }, { location: `/operator/tenants/${tenant.name}` });
    }),
    route(operatorOperations.updateTenant, async (request) => {
      const input = { tenantName: request.params.name, emailDomains: request.body.email_domains };
      return json(200, await useCases.setEmailDomains(requestOrigin(request), input));
    }),
    route(operatorOperations.inviteAdmin, async (request) => {
      const { params, body, baseUrl } = request;
      const input = { tenantName: params.name, adminEmail: body.admin_email, baseUrl };
      const { tenant, invitation } = await useCases.inviteAdmin(requestOrigin(request), input);
      return json(201, { ...tenant, invitation });
    }),
    route(operatorOperations.suspendTenant, async (request) =>
      json(200, await useCases.suspendTenant(requestOrigin(request), request.params.name)),
    ),
    route(operatorOperations.resumeTenant, async (request) =>
      json(200, await useCases.resumeTenant(requestOrigin(request), request.params.name)),
    ),
    route(operatorOperations.removeTenant, async (request) =>
      json(202, await useCases.requestTenantRemoval(requestOrigin(request), request.params.name)),
    ),
  ];
  const guard = createGuard(gate);
  return routes.map((each) => ({ ...each, guard }));
}
