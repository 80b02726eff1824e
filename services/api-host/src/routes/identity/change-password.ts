import { apiOperations, callerOf } from '@sluice/contract';
import { noContent, type Route, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { requestOrigin } from '../../request/request-origin.ts';

type ChangePasswordContext = Pick<UseCases, 'changePassword'> & Pick<ApiContext, 'events'>;

/** POST /me/change-password */
export const changePasswordRoute = ({ changePassword, events }: ChangePasswordContext): Route =>
  route(apiOperations.changePassword, async (request) => {
    const { tenant, principal, body, signal, requestId } = request;
    await changePassword(callerOf(request), {
      currentPassword: body.current_password,
      newPassword: body.new_password,
      origin: requestOrigin(request),
      signal,
    });
    events.authentication('password_changed', { tenant: tenant.name, user: principal.name, requestId });
    return noContent();
  });
