import { apiOperations } from '@sluice/contract';
import { pageLanguage, type Route, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { loginForm } from '../../pages/login-form.ts';
import { returnToChecker } from '../../request/return-to-checker.ts';
import { withErrorPage } from '../../request/with-error-page.ts';

type SignInPageContext = Pick<UseCases, 'hasTenantProvider'> & Pick<ApiContext, 'allowedOrigins'>;

/** GET /auth/sign-in/{tenant} */
export const signInPage = ({ hasTenantProvider, allowedOrigins }: SignInPageContext): Route =>
  route(apiOperations.signInPage, (request) =>
    withErrorPage(request, async () => {
      const { tenant, query, headers, baseUrl } = request;
      const check = returnToChecker({ tenant, baseUrl, allowedOrigins });
      const returnTo = query.return_to === undefined ? undefined : check(query.return_to);
      const hasProvider = await hasTenantProvider({ tenant });
      return loginForm({ tenant, returnTo, hasProvider, language: pageLanguage(headers) });
    }),
  );
