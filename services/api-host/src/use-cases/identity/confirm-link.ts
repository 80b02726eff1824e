import {
  addressPrefix,
  createOpaqueToken,
  hashOpaqueToken,
  openLink,
  type RequestOrigin,
  type SecretVerifier,
  sealLink,
  type VerifiedIdentity,
} from '@sluice/auth';
import { asProblem, ProblemError, type Tenant } from '@sluice/contract';
import type { StoredUser } from '@sluice/store/administration';
import type { LoginTransactionStore } from '@sluice/store/identity';
import type { AdmitIdentity } from './admit-identity.ts';
import { type OpenedIdentitySession, openIdentitySession } from './open-identity-session.ts';
import type { OpenSession } from './open-session.ts';
import type { RecordFailedSignOn } from './record-failed-sign-on.ts';
import { LOGIN_LIFETIME_MS } from './start-single-sign-on.ts';
import type { FindTenantProvider } from './tenant-provider.ts';

/** An account that administers the tenant, and the identity that it is to be linked to once its password was given. */
export interface UnconfirmedLink {
  readonly user: Pick<StoredUser, 'id' | 'email' | 'has_password'>;
  readonly identity: VerifiedIdentity;
  readonly returnTo: string | undefined;
}

interface BrowserOf {
  readonly tenant: Tenant;
  /** Cookie of the browser that began the login. */
  readonly cookie: string | undefined;
  readonly origin: RequestOrigin;
}

export interface LinkPassword extends BrowserOf {
  readonly token: string;
  readonly password: string;
  /** Device cookie, by which the throttle recognises the browser. */
  readonly deviceCookie: string | undefined;
  readonly checkReturnTo: (returnTo: string, allowedAddresses: readonly string[]) => string;
}

export interface ConfirmLink {
  /** Keeps the link for ten minutes, sealed under the cookie, and returns its token. */
  begin(link: UnconfirmedLink, browser: BrowserOf): Promise<string>;
  /** Throws `invalid_request` for a token that is unknown, used, over, or of another browser. */
  find(browser: BrowserOf & { readonly token: string }): Promise<UnconfirmedLink>;
  /** Links the account by its password, once, and opens its session. Throws `unauthorized`, `too_many_requests`, and as an admission. */
  confirm(link: UnconfirmedLink, input: LinkPassword): Promise<OpenedIdentitySession>;
}

export interface ConfirmLinkDependencies {
  readonly logins: Pick<LoginTransactionStore, 'begin' | 'find' | 'take'>;
  readonly findProvider: FindTenantProvider;
  readonly secrets: SecretVerifier;
  readonly admit: AdmitIdentity;
  readonly openSession: OpenSession;
  readonly recordFailure: RecordFailedSignOn;
}

const refuseUnknown = ({ name }: Tenant): ProblemError =>
  new ProblemError(
    'invalid_request',
    `This form is unknown, used, older than ten minutes, or of another browser. Begin again at /auth/login/${name}.`,
  );

const refusePassword = (): ProblemError => new ProblemError('unauthorized', 'The e-mail or the password is wrong.');

/** Undefined for what was sealed for another purpose, as the logins under way beside it are. */
function openSealed(cookie: string, sealed: Uint8Array): UnconfirmedLink | undefined {
  try {
    return openLink(cookie, sealed) as UnconfirmedLink;
  } catch {
    return undefined;
  }
}

const keysOf = (tenant: Tenant, token: string, cookie: string) => ({
  tenantId: tenant.id,
  stateHash: hashOpaqueToken(token),
  cookieHash: hashOpaqueToken(cookie),
});

export function createConfirmLink(dependencies: ConfirmLinkDependencies): ConfirmLink {
  const { logins, findProvider, secrets, admit, openSession, recordFailure } = dependencies;

  const requirePassword = async ({ user }: UnconfirmedLink, input: LinkPassword) => {
    const { tenant, password, origin, deviceCookie } = input;
    const attempt = {
      tenantName: tenant.name,
      method: 'password',
      name: user.email,
      secret: password,
      origin,
      deviceCookie,
    } as const;
    const { account } = await secrets.verify(attempt);
    if (account.id !== user.id) throw refusePassword();
  };

  return {
    async begin(link, { tenant, cookie = '', origin }) {
      const token = createOpaqueToken();
      const { user, identity, returnTo } = link;
      const { id, email, has_password } = user;
      await logins.begin({
        ...keysOf(tenant, token, cookie),
        sealed: sealLink(cookie, { user: { id, email, has_password }, identity, returnTo }),
        address: addressPrefix(origin.address),
        lifetimeMs: LOGIN_LIFETIME_MS,
      });
      return token;
    },
    async find({ tenant, token, cookie }) {
      const sealed = cookie === undefined ? undefined : await logins.find(keysOf(tenant, token, cookie));
      const link = sealed && cookie !== undefined ? openSealed(cookie, sealed) : undefined;
      if (link === undefined) throw refuseUnknown(tenant);
      return link;
    },
    async confirm(link, input) {
      const { tenant, token, cookie = '', origin } = input;
      const { user, identity } = link;
      const provider = await findProvider(tenant.id);
      if (provider?.client.issuer !== identity.issuer) throw refuseUnknown(tenant);
      const { stored } = provider;
      const returnTo = link.returnTo === undefined ? undefined : input.checkReturnTo(link.returnTo, stored.returnTo);
      await requirePassword(link, input);
      const taken = await logins.take(keysOf(tenant, token, cookie));
      if (taken === undefined) throw refuseUnknown(tenant);
      try {
        const admitted = await admit({ tenant, provider: stored, identity, origin, confirmedUserId: user.id });
        // The e-mail is another account's by now, whose own password has to confirm it.
        if (admitted.kind === 'unconfirmed') throw refuseUnknown(tenant);
        const session = { tenant, admitted, identity, returnTo, origin, confirmedBy: 'password' } as const;
        return await openIdentitySession(openSession, session);
      } catch (thrown) {
        const { issuer } = identity;
        await recordFailure({ tenant, origin, issuer, user: user.email, reason: asProblem(thrown).message });
        throw thrown;
      }
    },
  };
}
