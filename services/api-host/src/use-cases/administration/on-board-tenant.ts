import { isDeepStrictEqual } from 'node:util';
import type { OidcClient, SecretBox } from '@sluice/auth';
import type { IdentityProviderRequest, Invitation, TenantRecord } from '@sluice/contract';
import type { LockedTenant, OperatorStore } from '@sluice/store/administration';
import { checkIssuer, requireMappedRoles } from './change-identity-provider.ts';
import { inviteAdmin, operatorRecord } from './change-tenants.ts';
import { presentProvider, providerContent } from './identity-provider-content.ts';
import type { MakeInvitation, NewInvitation } from './make-invitation.ts';
import { OPERATOR } from './operator.ts';

interface OnBoardingInput {
  readonly tenantName: string;
  readonly adminEmail: string;
  /** Address of the API host, for the link of the invitation. */
  readonly baseUrl: string;
  /** Undefined leaves them as they are. */
  readonly emailDomains: readonly string[] | null | undefined;
  readonly identityProvider: IdentityProviderRequest | undefined;
  readonly isDryRun: boolean;
}

type Step = 'created' | 'updated' | 'unchanged';

interface OnBoarding {
  readonly tenant: Step;
  readonly admin: Step;
  readonly identityProvider: Step;
  /** Undefined if the admin exists, and for a dry run. */
  readonly invitation: Invitation | undefined;
}

interface OnBoardTenantDependencies {
  readonly operator: OperatorStore;
  readonly makeInvitation: MakeInvitation;
  readonly oidc: Pick<OidcClient, 'checkIssuer'>;
  readonly box: SecretBox;
}

/** Carries the result of a dry run out of its transaction, which is rolled back. */
class DryRun extends Error {
  readonly result: OnBoarding;

  constructor(result: OnBoarding) {
    super('dry run');
    this.result = result;
  }
}

async function saveProvider(
  tenant: TenantRecord,
  { administration }: LockedTenant,
  { box, request }: { readonly box: SecretBox; readonly request: IdentityProviderRequest | undefined },
): Promise<Step> {
  if (request === undefined) return 'unchanged';
  const before = await administration.identityProvider.find();
  await requireMappedRoles(administration, request);
  const { content, isSecretChanged } = providerContent(box, tenant.id, { request, before });
  const change = { before: before === undefined ? null : presentProvider(before), after: presentProvider(content) };
  if (!isSecretChanged && isDeepStrictEqual(change.before, change.after)) return 'unchanged';
  await administration.identityProvider.put(content, OPERATOR);
  const metadata = { ...change, client_secret_changed: isSecretChanged };
  const act = { action: 'UPDATE_IDENTITY_PROVIDER', metadata } as const;
  await administration.record({ ...operatorRecord(tenant, {}, act), target: content.issuer });
  return before === undefined ? 'created' : 'updated';
}

interface FoundTenant {
  readonly found: TenantRecord;
  readonly isNew: boolean;
}

/** Sets the e-mail domains if they differ, and records the creation or the change. */
async function saveTenant(
  { found, isNew }: FoundTenant,
  locked: LockedTenant,
  { adminEmail, emailDomains }: OnBoardingInput,
): Promise<Step> {
  const isSame = emailDomains === undefined || isDeepStrictEqual(found.email_domains, emailDomains);
  const after = isSame ? found : await locked.setEmailDomains(emailDomains);
  const domains = { email_domains: after.email_domains };
  const { record } = locked.administration;
  if (isNew) {
    const metadata = { admin_email: adminEmail, ...domains };
    await record(operatorRecord(after, {}, { action: 'CREATE_TENANT', metadata }));
    return 'created';
  }
  if (isSame) return 'unchanged';
  const metadata = { before: { email_domains: found.email_domains }, after: domains };
  await record(operatorRecord(after, {}, { action: 'UPDATE_TENANT', metadata }));
  return 'updated';
}

async function saveAdmin(
  { found, isNew }: FoundTenant,
  { administration }: LockedTenant,
  { adminEmail, stored }: Pick<OnBoardingInput, 'adminEmail'> & Pick<NewInvitation, 'stored'>,
): Promise<Step> {
  if ((await administration.users.findByEmail(adminEmail)) !== undefined) return 'unchanged';
  await inviteAdmin(administration, adminEmail, stored);
  const metadata = { admin_email: adminEmail };
  if (!isNew) await administration.record(operatorRecord(found, {}, { action: 'INVITE_ADMIN', metadata }));
  return 'created';
}

/**
 * Creates a tenant with its first admin and its identity provider, or changes what differs, in one transaction. Throws `invalid_request`
 * for an issuer, a role or an e-mail that is not possible. It has no caller: only the operator runs it, from a command.
 */
export type OnBoardTenant = (input: OnBoardingInput) => Promise<OnBoarding>;

export function createOnBoardTenant(dependencies: OnBoardTenantDependencies): OnBoardTenant {
  const { operator, makeInvitation, oidc, box } = dependencies;
  return async (input) => {
    const { tenantName, adminEmail, identityProvider: request, isDryRun } = input;
    if (request !== undefined) await checkIssuer(oidc, request.issuer, 'identity_provider.issuer');
    const { shown, stored } = makeInvitation(input);
    const work =
      (isNew: boolean) =>
      async (found: TenantRecord, locked: LockedTenant): Promise<OnBoarding> => {
        const tenant = await saveTenant({ found, isNew }, locked, input);
        const admin = await saveAdmin({ found, isNew }, locked, { adminEmail, stored });
        const identityProvider = await saveProvider(found, locked, { box, request });
        const invitation = admin === 'created' && !isDryRun ? shown : undefined;
        const result = { tenant, admin, identityProvider, invitation };
        if (isDryRun) throw new DryRun(result);
        return result;
      };
    try {
      return (await operator.change(tenantName, work(false))) ?? (await operator.create(tenantName, work(true)));
    } catch (thrown) {
      if (thrown instanceof DryRun) return thrown.result;
      throw thrown;
    }
  };
}
