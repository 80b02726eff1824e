import { apiOperations, asProblem, type ProblemError, type Tenant } from '@sluice/contract';
import { json, type Route, type RouteResponse, route } from '@sluice/http';
import type { ApiContext } from '../../context/context.ts';
import { invitationAccepted, invitationForm, invitationRefusal } from '../../pages/invitation-form.ts';
import { requestOrigin } from '../../request/request-origin.ts';
import { type AcceptInvitation, createAcceptInvitation } from '../../use-cases/administration/accept-invitation.ts';

interface Attempt {
  readonly tenant: Tenant;
  readonly token: string;
  readonly problem?: ProblemError;
}

const isForm = (contentType: string | undefined): boolean =>
  contentType?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true;

/** A person sees what was refused in the form again, and not as JSON. */
const MENDED_IN_FORM = new Set(['invalid_request', 'conflict', 'too_many_requests']);

async function answerPage(invitations: AcceptInvitation, { tenant, token, problem }: Attempt): Promise<RouteResponse> {
  try {
    const { email } = await invitations.find(tenant, token);
    return invitationForm({ tenant, token, email, ...(problem === undefined ? {} : { problem }) });
  } catch (thrown) {
    return invitationRefusal(tenant, thrown);
  }
}

/** GET and POST /auth/invitation/{tenant} */
export function invitationRoutes({
  stores,
  passwords,
  events,
}: Pick<ApiContext, 'stores' | 'passwords' | 'events'>): Route[] {
  const invitations = createAcceptInvitation({ administration: stores.administration, passwords });
  return [
    route(apiOperations.invitationPage, ({ tenant, query }) =>
      answerPage(invitations, { tenant, token: query.token ?? '' }),
    ),
    route(apiOperations.acceptInvitation, async ({ tenant, body, headers, baseUrl, ...request }) => {
      const ofForm = isForm(headers.get('content-type'));
      try {
        const email = await invitations.accept(tenant, body, requestOrigin(request));
        const { requestId } = request;
        events.authentication('invitation_accepted', { tenant: tenant.name, user: email, requestId });
        if (ofForm) return invitationAccepted(tenant, email);
        return json(200, { email, login_url: `${baseUrl}/auth/login/${tenant.name}` });
      } catch (thrown) {
        const problem = asProblem(thrown);
        if (!ofForm) throw thrown;
        if (!MENDED_IN_FORM.has(problem.code)) return invitationRefusal(tenant, thrown);
        return answerPage(invitations, { tenant, token: body.token, problem });
      }
    }),
  ];
}
