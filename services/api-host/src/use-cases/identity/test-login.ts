import { addressPrefix, createOpaqueToken, hashOpaqueToken, sealLogin } from '@sluice/auth';
import { type Caller, signInProblem } from '@sluice/contract';
import type { LoginTransactionStore } from '@sluice/store/identity';
import type { ResourceDatabase } from '@sluice/store/resources';
import { requireFound } from '../../resources/target.ts';
import type { AnonymousCaller } from './anonymous-caller.ts';
import { LOGIN_LIFETIME_MS } from './start-single-sign-on.ts';

export interface BegunTestLogin {
  /** Starts one login in a browser. It is never stored. */
  readonly ticket: string;
  readonly expiresTs: number;
}

/** Stores the ticket of a test login for ten minutes, and records it. Throws `not_found` for a tenant without an identity provider. */
export type BeginTestLogin = (caller: Caller) => Promise<BegunTestLogin>;
/** Uses up a ticket. Throws `invalid_request` for one that is unknown, used or expired. */
type TakeTestLogin = (caller: Pick<AnonymousCaller, 'tenant'>, ticket: string) => Promise<void>;

/** Derives both parts of a login from the ticket, so only its holder knows their hashes. No cookie of a login has this form. */
const keysOf = (tenantId: string, ticket: string) => ({
  tenantId,
  stateHash: hashOpaqueToken(ticket),
  cookieHash: hashOpaqueToken(`test login ${ticket}`),
});

interface BeginTestLoginDependencies {
  readonly database: Pick<ResourceDatabase, 'read'>;
  readonly logins: Pick<LoginTransactionStore, 'begin'>;
  readonly now: () => number;
}

export const createBeginTestLogin =
  ({ database, logins, now }: BeginTestLoginDependencies): BeginTestLogin =>
  async (caller) => {
    const { id: tenantId } = caller.principal.tenant;
    await database.read(caller, async (tx) => {
      const { issuer } = requireFound(await tx.identityProvider.find(), { what: 'identity provider' });
      await tx.record('TEST_IDENTITY_PROVIDER', issuer);
    });
    const ticket = createOpaqueToken();
    await logins.begin({
      ...keysOf(tenantId, ticket),
      sealed: sealLogin(ticket, {}),
      address: addressPrefix(caller.address),
      lifetimeMs: LOGIN_LIFETIME_MS,
    });
    return { ticket, expiresTs: now() + LOGIN_LIFETIME_MS };
  };

export const createTakeTestLogin =
  ({ logins }: { readonly logins: Pick<LoginTransactionStore, 'take'> }): TakeTestLogin =>
  async ({ tenant }, ticket) => {
    if ((await logins.take(keysOf(tenant.id, ticket))) !== undefined) return;
    throw signInProblem('invalid_request', 'test_login_unknown');
  };
