import { setTimeout as wait } from 'node:timers/promises';
import { addressPrefix, type Clock, hashOpaqueToken, openReplay, sealReplay, TRINO_CLIENT } from '@sluice/auth';
import { ProblemError } from '@sluice/contract';
import type { ExternalLogin, ExternalLoginStore } from '@sluice/store/identity';
import type { AnonymousCaller } from './anonymous-caller.ts';
import { TRINO_SCOPE } from './external-login.ts';
import { RUNNING_QUERY_MS } from './issue-client-token.ts';
import type { PrepareProgramSession } from './prepare-program-session.ts';
import type { WaitingLogins } from './waiting-logins.ts';

export interface PollExternalLoginInput {
  /** Secret of the challenge. */
  readonly secret: string;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

interface IssuedToken {
  readonly token: string;
  /** Undefined: an earlier request, whose response did not arrive, opened the session. */
  readonly user: string | undefined;
}

/**
 * Waits for the decision about a login, and opens the session of an approved one. Returns undefined if the user has not decided within 25 s, or if the
 * host stops. Of many requests one opens the session; until the client confirms, its address gets the same token again. Throws `grant_denied`,
 * `expired_token` and `invalid_grant`, and `too_many_requests` while too many clients wait.
 */
export type PollExternalLogin = (
  caller: AnonymousCaller,
  input: PollExternalLoginInput,
) => Promise<IssuedToken | undefined>;

interface PollExternalLoginDependencies {
  readonly store: Pick<ExternalLoginStore, 'find' | 'redeem'>;
  readonly prepareSession: PrepareProgramSession;
  readonly waiting: WaitingLogins;
  readonly tokenLifetimeMs: number;
  readonly now: Clock;
  readonly isStopping: () => boolean;
}

/** Less than the 30 s that the drivers wait for a response. The Python driver asks five times, so its user has two minutes. */
const WAIT_MS = 25_000;
const CHECK_MS = 1000;

const refuse = (code: 'grant_denied' | 'expired_token' | 'invalid_grant', message: string): ProblemError =>
  new ProblemError(code, message);
const wasUsed = (): ProblemError => refuse('invalid_grant', 'The login was used before. Connect again.');

export function createPollExternalLogin(dependencies: PollExternalLoginDependencies): PollExternalLogin {
  const { store, prepareSession, waiting, tokenLifetimeMs, now, isStopping } = dependencies;

  /** Returns a login once it is decided. */
  const waitForDecision = async (
    tenantId: string,
    { secret, signal }: PollExternalLoginInput,
  ): Promise<ExternalLogin | undefined> => {
    const login = { tenantId, secretHash: hashOpaqueToken(secret) };
    const endsMs = performance.now() + WAIT_MS;
    for (;;) {
      const found = await store.find(login);
      if (found !== undefined || performance.now() >= endsMs) return found;
      await wait(CHECK_MS);
      signal.throwIfAborted();
      if (isStopping()) return undefined;
    }
  };

  const repeat = (
    { poller, replay }: Extract<ExternalLogin, { kind: 'used' }>,
    { origin }: AnonymousCaller,
    secret: string,
  ): IssuedToken => {
    if (replay === null || poller !== addressPrefix(origin.address)) throw wasUsed();
    const { token } = openReplay(secret, replay) as { readonly token: string };
    return { token, user: undefined };
  };

  const redeem = async (
    approval: Extract<ExternalLogin, { kind: 'approved' }>,
    caller: AnonymousCaller,
    secret: string,
  ): Promise<IssuedToken> => {
    const endMs = Math.min(approval.sessionExpires.getTime(), now() + tokenLifetimeMs + RUNNING_QUERY_MS);
    const { session, tokens, user } = await prepareSession(caller, {
      approval: { ...approval, sessionExpires: new Date(endMs), scope: TRINO_SCOPE, targets: ['stream'] },
      client: TRINO_CLIENT,
      targets: undefined,
      method: 'external_login',
    });
    const token = tokens.access_token;
    const login = { tenantId: caller.tenant.id, secretHash: hashOpaqueToken(secret) };
    const use = {
      ...login,
      session,
      poller: addressPrefix(caller.origin.address),
      replay: sealReplay(secret, { token }),
    };
    if (await store.redeem(use)) return { token, user };
    const found = await store.find(login);
    if (found?.kind !== 'used') throw wasUsed();
    return repeat(found, caller, secret);
  };

  const settle = async (login: ExternalLogin, caller: AnonymousCaller, secret: string): Promise<IssuedToken> => {
    switch (login.kind) {
      case 'denied':
        throw refuse('grant_denied', 'The user denied the login.');
      case 'expired':
        throw refuse('expired_token', 'The login has expired. Connect again.');
      case 'used':
        return repeat(login, caller, secret);
      case 'approved':
        return await redeem(login, caller, secret);
    }
  };

  return async (caller, input) => {
    const leave = waiting.enter(addressPrefix(caller.origin.address));
    try {
      const decided = await waitForDecision(caller.tenant.id, input);
      return decided && (await settle(decided, caller, input.secret));
    } finally {
      leave();
    }
  };
}

/** Forgets the token of a login, which has arrived. One that is not decided or not used stays as it is. */
type EndExternalLogin = (caller: Pick<AnonymousCaller, 'tenant'>, secret: string) => Promise<void>;

export const createEndExternalLogin =
  ({ store }: { readonly store: Pick<ExternalLoginStore, 'eraseReplay'> }): EndExternalLogin =>
  async ({ tenant }, secret) =>
    await store.eraseReplay({ tenantId: tenant.id, secretHash: hashOpaqueToken(secret) });
