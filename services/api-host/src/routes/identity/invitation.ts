import { apiOperations, asProblem, type ProblemError, type Tenant } from '@sluice/contract';
import { json, type Route, type RouteResponse, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import type { UseCases } from '../../context/use-cases.ts';
import { invitationAccepted, invitationForm, invitationNotFound } from '../../pages/invitation-form.ts';
import { anonymousCallerOf } from '../../request/anonymous-caller-of.ts';
import type { FindInvitation } from '../../use-cases/identity/accept-invitation.ts';

type InvitationContext = Pick<UseCases, 'findInvitation' | 'acceptInvitation'> & Pick<ApiContext, 'events'>;

interface Attempt {
  readonly tenant: Tenant;
  readonly token: string;
  readonly problem?: ProblemError;
}

const isForm = (contentType: string | undefined): boolean =>
  contentType?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true;

/** Errors that the form shows, so that the user can try again. */
const SHOWN_IN_FORM = new Set(['invalid_request', 'conflict', 'too_many_requests']);

async function formPage(findInvitation: FindInvitation, { tenant, token, problem }: Attempt): Promise<RouteResponse> {
  try {
    const { email } = await findInvitation({ tenant }, { token });
    return invitationForm({ tenant, token, email, ...(problem === undefined ? {} : { problem }) });
  } catch (thrown) {
    return invitationNotFound(tenant, thrown);
  }
}

/** GET and POST /auth/invitation/{tenant} */
export const invitationRoutes = ({ findInvitation, acceptInvitation, events }: InvitationContext): Route[] => [
  route(apiOperations.invitationPage, ({ tenant, query }) =>
    formPage(findInvitation, { tenant, token: query.token ?? '' }),
  ),
  route(apiOperations.acceptInvitation, async (request) => {
    const { tenant, body, headers, baseUrl, requestId } = request;
    const isFromForm = isForm(headers.get('content-type'));
    try {
      const email = await acceptInvitation(anonymousCallerOf(request), body);
      events.authentication('invitation_accepted', { tenant: tenant.name, user: email, requestId });
      if (isFromForm) return invitationAccepted(tenant, email);
      return json(200, { email, login_url: `${baseUrl}/auth/login/${tenant.name}` });
    } catch (thrown) {
      const problem = asProblem(thrown);
      if (!isFromForm) throw thrown;
      if (!SHOWN_IN_FORM.has(problem.code)) return invitationNotFound(tenant, thrown);
      return formPage(findInvitation, { tenant, token: body.token, problem });
    }
  }),
];
