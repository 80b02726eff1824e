import { apiOperations } from '@sluice/contract';
import { redirect, route } from '@sluice/http';
import type { ApiContext } from '../../context.ts';
import { checkReturnTo } from '../../use-cases/auth/check-return-to.ts';
import { chooseLoginScreen } from '../../use-cases/auth/choose-login-screen.ts';

export const startLogin = ({ allowedOrigins }: Pick<ApiContext, 'allowedOrigins'>) =>
  route(apiOperations.startLogin, async ({ tenant, query, baseUrl }) => {
    const isAllowedOrigin = (origin: string) => allowedOrigins(origin, tenant);
    const returnTo =
      query.return_to === undefined ? undefined : checkReturnTo(query.return_to, { baseUrl, isAllowedOrigin });
    return redirect(302, chooseLoginScreen(tenant, returnTo));
  });
