import type { SecretVerifier } from '@sluice/auth';
import { asProblem, signInProblem } from '@sluice/contract';
import type { StoredIdentityProvider } from '@sluice/store/administration';
import type { LoginTransactionStore } from '@sluice/store/identity';
import type { AdmitIdentity } from './admit-identity.ts';
import type { AnonymousCaller } from './anonymous-caller.ts';
import type { FindTenantProvider } from './find-tenant-provider.ts';
import type { OpenedIdentitySession, OpenIdentitySession } from './open-identity-session.ts';
import type { RecordFailedSignOn } from './record-failed-sign-on.ts';
import type { RememberDevice } from './remember-device.ts';
import { linkKeys, type UnconfirmedLink, unknownLink } from './unconfirmed-link.ts';

export interface ConfirmLinkInput {
  readonly link: UnconfirmedLink;
  readonly token: string;
  readonly password: string;
  /** Cookie of the browser that began the login. */
  readonly cookie: string | undefined;
  /** Device cookie, by which the throttle recognises the browser. */
  readonly deviceCookie: string | undefined;
  /** Session cookie of the browser, which a new one replaces. */
  readonly sessionCookie: string | undefined;
  readonly checkReturnTo: (returnTo: string, allowedAddresses: readonly string[]) => string;
}

/**
 * Links an account to its identity by the password of the account, once, and opens its session. Throws `unauthorized`,
 * `too_many_requests`, `invalid_request`, and the errors of `AdmitIdentity`.
 */
type ConfirmLink = (
  caller: AnonymousCaller,
  input: ConfirmLinkInput,
) => Promise<OpenedIdentitySession & { readonly deviceCookie: string | undefined }>;

interface ConfirmLinkDependencies {
  readonly logins: Pick<LoginTransactionStore, 'take'>;
  readonly findProvider: FindTenantProvider;
  readonly secrets: SecretVerifier;
  readonly admit: AdmitIdentity;
  readonly openIdentitySession: OpenIdentitySession;
  readonly rememberDevice: RememberDevice;
  readonly recordFailure: RecordFailedSignOn;
}

interface AllowedLink {
  readonly replacedCookie: string | undefined;
  readonly deviceCookie: string | undefined;
  readonly link: UnconfirmedLink;
  readonly stored: StoredIdentityProvider;
  readonly returnTo: string | undefined;
}

export function createConfirmLink(dependencies: ConfirmLinkDependencies): ConfirmLink {
  const { logins, findProvider, secrets, admit, openIdentitySession, rememberDevice, recordFailure } = dependencies;

  const requirePassword = async ({ tenant, origin }: AnonymousCaller, input: ConfirmLinkInput): Promise<void> => {
    const { link, password, deviceCookie } = input;
    const { account } = await secrets.verify({
      tenantName: tenant.name,
      method: 'password',
      name: link.user.email,
      secret: password,
      origin,
      deviceCookie,
    });
    if (account.id !== link.user.id) throw signInProblem('unauthorized', 'wrong_password');
  };

  const openLinked = async (
    caller: AnonymousCaller,
    { link: { user, identity }, stored, returnTo, replacedCookie, deviceCookie }: AllowedLink,
  ): Promise<OpenedIdentitySession> => {
    try {
      const admitted = await admit(caller, { provider: stored, identity, confirmedUserId: user.id });
      // Meanwhile the e-mail belongs to another account, whose own password has to confirm it.
      if (admitted.kind === 'unconfirmed') throw unknownLink(caller.tenant);
      return await openIdentitySession(caller, {
        admitted,
        identity,
        returnTo,
        replacedCookie,
        deviceCookie,
        confirmedBy: 'password',
      });
    } catch (thrown) {
      const { issuer } = identity;
      await recordFailure(caller, { issuer, user: user.email, reason: asProblem(thrown).message });
      throw thrown;
    }
  };

  return async (caller, input) => {
    const { tenant } = caller;
    const { link, token, cookie = '', deviceCookie } = input;
    const provider = await findProvider({ tenant });
    if (provider?.client.issuer !== link.identity.issuer) throw unknownLink(tenant);
    const { stored } = provider;
    const returnTo = link.returnTo === undefined ? undefined : input.checkReturnTo(link.returnTo, stored.returnTo);
    await requirePassword(caller, input);
    const taken = await logins.take(linkKeys(tenant, token, cookie));
    if (taken === undefined) throw unknownLink(tenant);
    const replacedCookie = input.sessionCookie;
    const opened = await openLinked(caller, { link, stored, returnTo, replacedCookie, deviceCookie });
    const remembered = await rememberDevice({ tenantId: tenant.id, userId: opened.userId, sent: deviceCookie });
    return { ...opened, deviceCookie: remembered };
  };
}
