import { EXTERNAL_LOGIN_LIFETIME_MS, type ExternalLogins, type RequestedLogin } from '@sluice/auth';
import { type Scope, signInProblem } from '@sluice/contract';
import type { ExternalLoginStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { BrowserSession } from './find-browser-session.ts';

/** Scope of the session of a Trino client: it runs statements, and its catalogue has what `GET /catalog` has. */
export const TRINO_SCOPE = ['query:run', 'datamap:read'] as const satisfies Scope;

/** Opens the login of a challenge. Throws `invalid_request` for any other value, and for a login that is decided or too old. */
export type FindExternalLogin = (caller: Pick<AnonymousCaller, 'tenant'>, login: string) => Promise<RequestedLogin>;

/** Approves or denies the login of a Trino client, once. Throws `invalid_request` as `FindExternalLogin`. */
type DecideExternalLogin = (
  caller: Pick<AnonymousCaller, 'tenant'>,
  input: { readonly login: string; readonly session: BrowserSession; readonly decision: 'approved' | 'denied' },
) => Promise<void>;

interface ExternalLoginDependencies {
  readonly logins: Pick<ExternalLogins, 'open'>;
  readonly store: Pick<ExternalLoginStore, 'find' | 'decide'>;
}

export const createFindExternalLogin =
  ({ logins, store }: ExternalLoginDependencies): FindExternalLogin =>
  async ({ tenant }, login) => {
    const requested = await logins.open(tenant.name, login);
    if (requested === undefined) throw signInProblem('invalid_request', 'external_login_over');
    const decided = await store.find({ tenantId: tenant.id, secretHash: requested.secretHash });
    if (decided !== undefined) throw signInProblem('invalid_request', 'external_login_over');
    return requested;
  };

export function createDecideExternalLogin(dependencies: ExternalLoginDependencies): DecideExternalLogin {
  const { store } = dependencies;
  const find = createFindExternalLogin(dependencies);
  return async (caller, { login, session, decision }) => {
    const { secretHash } = await find(caller, login);
    const { sid: approvedIn, account } = session;
    const decided = { tenantId: caller.tenant.id, secretHash, decision, accountId: account.id, approvedIn };
    if (!(await store.decide({ ...decided, lifetimeMs: EXTERNAL_LOGIN_LIFETIME_MS })))
      throw signInProblem('invalid_request', 'external_login_over');
  };
}
