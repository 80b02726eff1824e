import { apiOperations } from '@sluice/contract';
import { type Route, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import { loginForm } from '../../pages/login-form.ts';
import { returnToChecker } from '../../request/return-to-checker.ts';

export const signInPage = ({ allowedOrigins }: Pick<ApiContext, 'allowedOrigins'>): Route =>
  route(apiOperations.signInPage, async ({ tenant, query, baseUrl }) => {
    const check = returnToChecker({ tenant, baseUrl, allowedOrigins });
    const returnTo = query.return_to === undefined ? undefined : check(query.return_to);
    return loginForm({ tenant, returnTo });
  });
