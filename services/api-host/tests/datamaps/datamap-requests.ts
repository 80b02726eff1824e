import { type ReceivedResponse, send } from '@sluice/testkit';
import type { TestHost } from '@sluice/testkit/hosts';

interface Sender {
  readonly idToken: string;
}

/** Sends one request as a user. A body is sent as JSON. */
export const sendAs = (
  test: TestHost,
  { idToken }: Sender,
  request: { readonly method: string; readonly path: string; readonly body?: unknown; readonly ifMatch?: string },
): Promise<ReceivedResponse> =>
  send(`${test.url}${request.path}`, {
    method: request.method,
    headers: {
      idtoken: idToken,
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(request.ifMatch === undefined ? {} : { 'if-match': request.ifMatch }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });

export const createDatamap = (test: TestHost, sender: Sender, body: object): Promise<ReceivedResponse> =>
  sendAs(test, sender, { method: 'POST', path: '/datamap', body });

export const getDatamap = (test: TestHost, sender: Sender, id: string): Promise<ReceivedResponse> =>
  sendAs(test, sender, { method: 'GET', path: `/datamap/${id}` });

export const searchDatamaps = (test: TestHost, sender: Sender, body: object): Promise<ReceivedResponse> =>
  sendAs(test, sender, { method: 'POST', path: '/datamap/search', body });

/** Creates a datamap and returns its id. */
export async function madeDatamap(test: TestHost, sender: Sender, body: object, steps: readonly string[] = []) {
  const { status, body: made } = await createDatamap(test, sender, { sql: 'select 1 as one', ...body });
  if (status !== 201) throw new Error(`no datamap was made: ${JSON.stringify(made)}`);
  for (const step of steps) await sendAs(test, sender, { method: 'POST', path: `/datamap/${made.id}/${step}` });
  return String(made.id);
}
