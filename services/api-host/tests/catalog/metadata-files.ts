import { request } from 'node:http';
import { type ReceivedResponse, send, until } from '@sluice/testkit';
import type { LoggedIn } from '@sluice/testkit/fixtures';
import type { TestHost } from '@sluice/testkit/hosts';

type Host = Pick<TestHost, 'url'>;

/** Body of an import in each media type. */
export const CSV = 'text/csv';
export const NDJSON = 'application/x-ndjson';
export const JSON_TYPE = 'application/json';
export const HEADER = 'type,id,field,display_name,description,tags,domains';
/** Columns of an export. */
export const EXPORT_HEADER = `${HEADER},domain_ids`;

export const sendFile = (
  { url }: Host,
  { idToken }: LoggedIn,
  body: string | Buffer,
  { type = CSV, query = '' }: { readonly type?: string; readonly query?: string } = {},
): Promise<ReceivedResponse> =>
  send(`${url}/metadata/imports${query}`, {
    method: 'POST',
    headers: { 'content-type': type, idtoken: idToken },
    body,
  });

/**
 * Sends the head of a request and the beginning of its body, and nothing more. Returns the response, which the host has to send without
 * the rest.
 */
export const sendDeclared = (
  { url }: Host,
  { idToken }: LoggedIn,
  { headers, body = '' }: { readonly headers: Record<string, string>; readonly body?: string },
): Promise<{ status: number | undefined; text: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(
      `${url}/metadata/imports`,
      { method: 'POST', headers: { idtoken: idToken, ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => {
          resolve({ status: response.statusCode, text });
          sent.destroy();
        });
      },
    );
    sent.on('error', reject);
    sent.flushHeaders();
    sent.write(body);
  });

export const readImport = ({ url }: Host, { idToken }: LoggedIn, id: string, more = ''): Promise<ReceivedResponse> =>
  send(`${url}/metadata/imports/${id}${more}`, { headers: { idtoken: idToken } });

export const exportFile = ({ url }: Host, { idToken }: LoggedIn, query = ''): Promise<ReceivedResponse> =>
  send(`${url}/metadata/export${query}`, { headers: { idtoken: idToken } });

const ENDED = new Set(['FINISHED', 'FAILED', 'CANCELLED']);

/** Returns the status of an import when it has ended. */
export const endedImport = (test: Host, caller: LoggedIn, id: string, withinMs = 60_000) =>
  until(
    async () => {
      const { body } = await readImport(test, caller, id);
      return ENDED.has(body.state) ? body : undefined;
    },
    { what: `the end of the import ${id}`, withinMs },
  );

/** Sends a file and returns the status at its end. */
export async function importFile(
  test: Host,
  caller: LoggedIn,
  body: string,
  options: { readonly type?: string; readonly query?: string } = {},
) {
  const { status, body: started, text } = await sendFile(test, caller, body, options);
  if (status !== 202) throw new Error(text);
  return await endedImport(test, caller, started.import_id);
}

export const ndjsonOf = (objects: readonly object[]): string =>
  objects.map((each) => `${JSON.stringify(each)}\n`).join('');
