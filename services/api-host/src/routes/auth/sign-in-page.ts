import { apiOperations } from '@sluice/contract';
import { route } from '@sluice/http';
import type { ApiContext } from '../../context.ts';
import { checkReturnTo } from '../../use-cases/auth/check-return-to.ts';
import { loginForm } from './login-form.ts';

export const signInPage = ({ allowedOrigins }: Pick<ApiContext, 'allowedOrigins'>) =>
  route(apiOperations.signInPage, async ({ tenant, query, baseUrl }) => {
    const isAllowedOrigin = (origin: string) => allowedOrigins(origin, tenant);
    const returnTo =
      query.return_to === undefined ? undefined : checkReturnTo(query.return_to, { baseUrl, isAllowedOrigin });
    return loginForm({ tenant, returnTo });
  });
