import { apiOperations, type Invitation, type UserRecord } from '@sluice/contract';
import { entityTag, json, matchedVersion, noContent, type Route, route } from '@sluice/http';
import type { StoredUser } from '@sluice/store/administration';
import type { ApiContext } from '../../context/context.ts';
import { createChangeAccounts } from '../../use-cases/administration/change-accounts.ts';
import {
  createUser,
  type PasswordOrInvitation,
  removeUser,
  resetPassword,
  updateUser,
} from '../../use-cases/administration/change-users.ts';
import { createFindAccounts } from '../../use-cases/administration/find-accounts.ts';
import { linkIdentity } from '../../use-cases/administration/link-identity.ts';
import { createMakeInvitation } from '../../use-cases/administration/make-invitation.ts';

type UserRoutesContext = Pick<ApiContext, 'stores' | 'passwords' | 'settings' | 'now'>;

const bodyOf = ({ version: _version, ...user }: StoredUser): UserRecord => user;
const etag = ({ version }: StoredUser) => ({ etag: entityTag(version) });

interface CredentialInput {
  readonly password: string | undefined;
  readonly tenantName: string;
  readonly baseUrl: string;
}

/** A hash of the password that was given, or an invitation to set one, beside what is shown of it. */
function createCredentials({ passwords, settings, now }: UserRoutesContext) {
  const invite = createMakeInvitation({ lifetimeMs: settings.invitationLifetimeMs, now });
  return async ({
    password,
    ...to
  }: CredentialInput): Promise<{ readonly shown: Invitation | null; readonly kept: PasswordOrInvitation }> => {
    if (password !== undefined) {
      return { shown: null, kept: { passwordHash: await passwords.hash(password), invitation: undefined } };
    }
    const { shown, kept } = invite(to);
    return { shown, kept: { passwordHash: null, invitation: kept } };
  };
}

/** Everything below /admin/users */
export function userRoutes(context: UserRoutesContext): Route[] {
  const find = createFindAccounts(context.stores.administration);
  const { change } = createChangeAccounts(context.stores.administration);
  const proofOf = createCredentials(context);
  return [
    route(apiOperations.listUsers, async ({ query, ...caller }) => {
      const { total, users } = await find.users(caller, query);
      return json(200, { total, data: users.map(bodyOf) });
    }),
    route(apiOperations.createUser, async ({ body, baseUrl, ...caller }) => {
      const { email, roles = [], password } = body;
      const { shown, kept } = await proofOf({ password, tenantName: caller.tenant.name, baseUrl });
      const user = await change(caller, (within) => createUser(within, caller, { email, roles, ...kept }));
      const headers = { ...etag(user), location: `/admin/users/${user.id}` };
      return json(201, { ...bodyOf(user), invitation: shown }, headers);
    }),
    route(apiOperations.getUser, async ({ params, ...caller }) => {
      const user = await find.user(caller, params.id);
      return json(200, bodyOf(user), etag(user));
    }),
    route(apiOperations.updateUser, async ({ params, body, headers, ...caller }) => {
      const target = { id: params.id, version: matchedVersion(headers) };
      const user = await change(caller, (within) => updateUser(within, caller, { target, change: body }));
      return json(200, bodyOf(user), etag(user));
    }),
    route(apiOperations.resetPassword, async ({ params, body, headers, baseUrl, ...caller }) => {
      const target = { id: params.id, version: matchedVersion(headers) };
      const { shown, kept } = await proofOf({ password: body.password, tenantName: caller.tenant.name, baseUrl });
      const user = await change(caller, (within) => resetPassword(within, caller, { target, ...kept }));
      return json(200, { ...bodyOf(user), invitation: shown }, etag(user));
    }),
    route(apiOperations.linkIdentity, async ({ params, body, ...caller }) => {
      const input = { userId: params.id, subject: body.subject };
      const user = await change(caller, (within) => linkIdentity(within, caller, input));
      return json(200, bodyOf(user), etag(user));
    }),
    route(apiOperations.deleteUser, async ({ params, headers, ...caller }) => {
      const target = { id: params.id, version: matchedVersion(headers) };
      await change(caller, (within) => removeUser(within, caller, target));
      return noContent();
    }),
  ];
}
