import type { IncomingMessage, ServerResponse } from 'node:http';
import { type PageLanguage, pageLanguage } from '@sluice/http';
import type { Provider } from 'oidc-provider';
import type { Person } from './identity-provider-options.ts';
import { expiredPage, loginPage } from './pages.ts';

const FORM_CHARACTERS_MAX = 10_000;

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > FORM_CHARACTERS_MAX) break;
  }
  return new URLSearchParams(text);
}

const sendPage = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }).end(text);
};

/** Returns the language that the reader prefers. */
export const languageOf = ({ headers }: Pick<IncomingMessage, 'headers'>): PageLanguage =>
  pageLanguage({ get: (name) => (name === 'accept-language' ? headers['accept-language'] : undefined) });

/** Returns the handler of the provider's requests and of its login form at `/interaction/{uid}`. */
export function serveInteractions(provider: Provider, people: readonly Person[]) {
  const handleOidc = provider.callback();

  const logIn = async (
    request: IncomingMessage,
    response: ServerResponse,
    listed: readonly Person[],
  ): Promise<void> => {
    const form = await readForm(request);
    const email = form.get('email')?.trim().toLowerCase();
    const person = people.find((each) => each.email === email && each.password === form.get('password'));
    const action = request.url ?? '';
    if (person === undefined) {
      const language = languageOf(request);
      sendPage(response, 401, loginPage({ language, action, people: listed, rejected: email ?? '' }));
      return;
    }
    await provider.interactionFinished(request, response, { login: { accountId: person.email } });
  };

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url?.startsWith('/interaction/') !== true) {
      await handleOidc(request, response);
      return;
    }
    try {
      const { params } = await provider.interactionDetails(request, response);
      const listed = people.filter(({ clientId }) => clientId === params['client_id']);
      if (request.method === 'POST') await logIn(request, response, listed);
      else sendPage(response, 200, loginPage({ language: languageOf(request), action: request.url, people: listed }));
    } catch {
      // The only expected failure: the interaction is unknown or older than an hour.
      sendPage(response, 400, expiredPage(languageOf(request)));
    }
  };
}
