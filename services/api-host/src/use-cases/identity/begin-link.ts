import { addressPrefix, createOpaqueToken, sealLink } from '@sluice/auth';
import type { LoginTransactionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import { LOGIN_LIFETIME_MS } from './start-single-sign-on.ts';
import { linkKeys, type UnconfirmedLink } from './unconfirmed-link.ts';

interface BeginLinkInput {
  readonly link: UnconfirmedLink;
  /** Cookie of the browser that began the login. */
  readonly cookie: string | undefined;
}

/** Stores a link for ten minutes, sealed under the cookie, and returns its token. */
export type BeginLink = (caller: AnonymousCaller, input: BeginLinkInput) => Promise<string>;

interface BeginLinkDependencies {
  readonly logins: Pick<LoginTransactionStore, 'begin'>;
}

export const createBeginLink =
  ({ logins }: BeginLinkDependencies): BeginLink =>
  async ({ tenant, origin }, { link, cookie = '' }) => {
    const token = createOpaqueToken();
    const { user, identity, returnTo } = link;
    const { id, email, has_password } = user;
    await logins.begin({
      ...linkKeys(tenant, token, cookie),
      sealed: sealLink(cookie, { user: { id, email, has_password }, identity, returnTo }),
      address: addressPrefix(origin.address),
      lifetimeMs: LOGIN_LIFETIME_MS,
    });
    return token;
  };
