import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { OidcClient, SecretBox } from '@sluice/auth';
import { type IdentityProviderRequest, type Invitation, ProblemError, type TenantRecord } from '@sluice/contract';
import type { TenantTransaction } from '@sluice/store/resources';
import { checkIssuer, saveIdentityProvider } from './identity-provider.ts';
import type { MakeInvitation, NewInvitation } from './make-invitation.ts';
import { operatorOf, storeAdminInvitation, type TenantsContext } from './tenants.ts';

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

interface OnBoardingContext extends TenantsContext {
  readonly makeInvitation: MakeInvitation;
  readonly oidc: Pick<OidcClient, 'checkIssuer'>;
  readonly box: SecretBox;
}

interface FoundTenant {
  readonly found: TenantRecord;
  readonly isNew: boolean;
}

async function saveProvider(
  tx: TenantTransaction,
  box: SecretBox,
  request: IdentityProviderRequest | undefined,
): Promise<Step> {
  if (request === undefined) return 'unchanged';
  const input = { request, version: undefined, recordsSame: false, box };
  const { before, isSame } = await saveIdentityProvider(tx, input);
  if (isSame) return 'unchanged';
  return before === undefined ? 'created' : 'updated';
}

/** Sets the e-mail domains if they differ, and records the creation or the change. */
async function saveTenant(
  tx: TenantTransaction,
  { found, isNew }: FoundTenant,
  { adminEmail, emailDomains }: OnBoardingInput,
): Promise<Step> {
  const isSame = emailDomains === undefined || isDeepStrictEqual(found.email_domains, emailDomains);
  const after = isSame ? found : await tx.tenant.setEmailDomains(emailDomains);
  const domains = { email_domains: after.email_domains };
  if (isNew) {
    await tx.record('CREATE_TENANT', after.name, { admin_email: adminEmail, ...domains });
    return 'created';
  }
  if (isSame) return 'unchanged';
  await tx.record('UPDATE_TENANT', after.name, { before: { email_domains: found.email_domains }, after: domains });
  return 'updated';
}

async function saveAdmin(
  tx: TenantTransaction,
  { found, isNew }: FoundTenant,
  { adminEmail, stored }: Pick<OnBoardingInput, 'adminEmail'> & Pick<NewInvitation, 'stored'>,
): Promise<Step> {
  if ((await tx.users.findByEmail(adminEmail)) !== undefined) return 'unchanged';
  await storeAdminInvitation(tx, adminEmail, stored);
  if (!isNew) await tx.record('INVITE_ADMIN', found.name, { admin_email: adminEmail });
  return 'created';
}

const removedMeanwhile = (name: string): ProblemError =>
  new ProblemError('conflict', `The tenant ${name} was removed meanwhile. Run the command again.`);

/**
 * Creates a tenant with its first admin and its identity provider, or changes what differs, in one transaction. Throws `invalid_request`
 * for an issuer, a role or an e-mail that is not possible. It has no caller: only the operator runs it, from a command.
 */
export async function onBoardTenant(
  { database, directory, makeInvitation, oidc, box }: OnBoardingContext,
  input: OnBoardingInput,
): Promise<OnBoarding> {
  const { tenantName, adminEmail, identityProvider: request, isDryRun } = input;
  if (request !== undefined) await checkIssuer(oidc, request.issuer, 'identity_provider.issuer');
  const { shown, stored } = makeInvitation(input);
  const existing = await directory.findByName(tenantName);
  const work = async (tx: TenantTransaction): Promise<OnBoarding> => {
    const locked = existing && (await tx.tenant.lock());
    if (existing !== undefined && locked === undefined) throw removedMeanwhile(tenantName);
    const state = { found: locked ?? (await tx.tenant.insert(tenantName)), isNew: locked === undefined };
    const tenant = await saveTenant(tx, state, input);
    const admin = await saveAdmin(tx, state, { adminEmail, stored });
    const identityProvider = await saveProvider(tx, box, request);
    if ([tenant, admin, identityProvider].every((step) => step === 'unchanged')) tx.skipRecord();
    const invitation = admin === 'created' && !isDryRun ? shown : undefined;
    return { tenant, admin, identityProvider, invitation };
  };
  const run = isDryRun ? database.dryRun : database.change;
  return await run(operatorOf(existing?.id ?? randomUUID(), {}), work);
}
