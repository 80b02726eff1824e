import type { LoginTransactionStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import { linkKeys, openSealedLink, type UnconfirmedLink, unknownLink } from './unconfirmed-link.ts';

export interface FindLinkInput {
  readonly token: string;
  /** Cookie of the browser that began the login. */
  readonly cookie: string | undefined;
}

/** Returns the link of a token. Throws `invalid_request` for a token that is unknown, used, expired or of another browser. */
type FindLink = (caller: Pick<AnonymousCaller, 'tenant'>, input: FindLinkInput) => Promise<UnconfirmedLink>;

interface FindLinkDependencies {
  readonly logins: Pick<LoginTransactionStore, 'find'>;
}

export const createFindLink =
  ({ logins }: FindLinkDependencies): FindLink =>
  async ({ tenant }, { token, cookie }) => {
    if (cookie === undefined) throw unknownLink(tenant);
    const sealed = await logins.find(linkKeys(tenant, token, cookie));
    const link = sealed && openSealedLink(cookie, sealed);
    if (link === undefined) throw unknownLink(tenant);
    return link;
  };
