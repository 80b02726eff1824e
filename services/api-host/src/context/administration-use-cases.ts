import { createAccountTransactions } from '../use-cases/administration/account-transactions.ts';
import { createApplyFile } from '../use-cases/administration/apply-file.ts';
import { createCreateGrant, createRemoveGrant, createUpdateGrant } from '../use-cases/administration/change-grants.ts';
import {
  createFindIdentityProvider,
  createPutIdentityProvider,
  createRemoveIdentityProvider,
} from '../use-cases/administration/change-identity-provider.ts';
import { createCreateRole, createRemoveRole, createUpdateRole } from '../use-cases/administration/change-roles.ts';
import {
  createAddClientSecret,
  createCreateServiceAccount,
  createRemoveServiceAccount,
  createRevokeClientSecret,
  createUpdateServiceAccount,
} from '../use-cases/administration/change-service-accounts.ts';
import {
  createCreateUser,
  createRemoveUser,
  createResetPassword,
  createUpdateUser,
} from '../use-cases/administration/change-users.ts';
import { createDescribeConfiguredSql } from '../use-cases/administration/describe-configured-sql.ts';
import {
  createFindRole,
  createFindRoles,
  createFindServiceAccount,
  createFindServiceAccounts,
  createFindUser,
  createFindUsers,
} from '../use-cases/administration/find-accounts.ts';
import { createFindGrant, createFindGrants } from '../use-cases/administration/find-grants.ts';
import { createFindLimits, createPutLimits } from '../use-cases/administration/limits.ts';
import { createLinkIdentity } from '../use-cases/administration/link-identity.ts';
import { createMakeInvitation } from '../use-cases/administration/make-invitation.ts';
import { createEndSession, createListSessions } from '../use-cases/administration/sessions.ts';
import type { DescribeSql } from '../use-cases/datamaps/describe-sql.ts';
import type { ApiContext } from './context.ts';

type AdministrationContext = Pick<ApiContext, 'settings' | 'stores' | 'credentials' | 'now'>;

/** The finished use-cases of the routes below /admin, except harvests. */
export type AdministrationUseCases = ReturnType<typeof createAdministrationUseCases>;

export function createAdministrationUseCases(context: AdministrationContext, describeSql: DescribeSql) {
  const { stores, credentials, settings, now } = context;
  const { passwords, oidc, box, pageTokens } = credentials;
  const step = { transactions: createAccountTransactions(stores) };
  const makeInvitation = createMakeInvitation({ lifetimeMs: settings.invitationLifetimeMs, now });
  const describeConfiguredSql = createDescribeConfiguredSql({ administration: stores.administration, describeSql });
  return {
    listSessions: createListSessions({ ...stores, pageTokens }),
    endSession: createEndSession(stores),
    findLimits: createFindLimits({ ...stores, limitDefaults: settings }),
    putLimits: createPutLimits({ ...stores, limitDefaults: settings }),
    findUsers: createFindUsers(stores),
    findUser: createFindUser(stores),
    createUser: createCreateUser({ ...step, passwords, makeInvitation }),
    updateUser: createUpdateUser(step),
    resetPassword: createResetPassword({ ...step, passwords, makeInvitation }),
    linkIdentity: createLinkIdentity(step),
    removeUser: createRemoveUser(step),
    findRoles: createFindRoles(stores),
    findRole: createFindRole(stores),
    createRole: createCreateRole(step),
    updateRole: createUpdateRole(step),
    removeRole: createRemoveRole(step),
    findServiceAccounts: createFindServiceAccounts(stores),
    findServiceAccount: createFindServiceAccount(stores),
    createServiceAccount: createCreateServiceAccount({ ...step, passwords }),
    updateServiceAccount: createUpdateServiceAccount(step),
    removeServiceAccount: createRemoveServiceAccount(step),
    addClientSecret: createAddClientSecret({ ...step, passwords }),
    revokeClientSecret: createRevokeClientSecret(step),
    findGrants: createFindGrants(stores),
    findGrant: createFindGrant(stores),
    createGrant: createCreateGrant(stores),
    updateGrant: createUpdateGrant(stores),
    removeGrant: createRemoveGrant(stores),
    findIdentityProvider: createFindIdentityProvider(stores),
    putIdentityProvider: createPutIdentityProvider({ ...step, oidc, box }),
    removeIdentityProvider: createRemoveIdentityProvider(step),
    applyFile: createApplyFile({
      ...step,
      administration: stores.administration,
      passwords,
      makeInvitation,
      describeConfiguredSql,
      oidc,
      box,
    }),
  };
}
