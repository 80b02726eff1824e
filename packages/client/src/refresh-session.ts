import type { SessionTokens } from './auth/auth.ts';
import { exchangeRefreshToken, type RefreshTokenInput } from './auth/request-token.ts';
import { type ClientOptions, readClientOptions } from './client-options.ts';
import { createSendRequest } from './http/send-request.ts';

/**
 * Exchanges a refresh token for the tokens that replace it. Programs that share a session between processes call it under a lock of
 * their own, and store the result before they release the lock.
 * @throws ResponseError `invalid_grant` if the session has ended, TypeError naming the first option that is not valid
 */
export async function refreshSession(
  options: Omit<ClientOptions, 'auth'>,
  session: RefreshTokenInput,
): Promise<SessionTokens> {
  const settings = readClientOptions(options);
  const noTokens = (): never => {
    throw new Error('The exchange of a refresh token needs no other token.');
  };
  const send = createSendRequest(settings, noTokens, undefined);
  return await exchangeRefreshToken({ ...settings, send }, session);
}
