import { type ReceivedResponse, send } from '@sluice/testkit';
import { login, refresh, requestClientToken, type Tokens } from '@sluice/testkit/requests';

/** Sends a request of each kind that needs the database, all at once. */
export const requestEverything = (
  url: string,
  tokens: Pick<Tokens, 'id_token' | 'refresh_token'>,
): Promise<ReceivedResponse[]> =>
  Promise.all([
    login(url),
    refresh(url, tokens.refresh_token),
    requestClientToken(url),
    send(`${url}/test/api`, { headers: { idtoken: tokens.id_token } }),
    send(`${url}/auth/logout/acme`, { headers: { idtoken: tokens.id_token } }),
  ]);
