import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';

/** One unparsed response of Trino's statement protocol. */
interface RawPage {
  readonly bytes: Buffer;
  readonly nextUri: string | undefined;
}

/** Account that reads. Trino of the bench asks for no password. */
export interface PageReader {
  readonly user: string;
  readonly password?: string | undefined;
}

const NEXT_URI = '"nextUri":"';

/** Yields the pages of a statement in sequence, and reads only the address of the next one. Throws when the statement fails. */
export async function* readRawPages(url: string, sql: string, { user, password }: PageReader): AsyncGenerator<RawPage> {
  const agent = new Agent({ keepAlive: true });
  const headers = {
    'x-trino-user': user,
    'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
    ...(password === undefined
      ? {}
      : { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }),
  };
  try {
    let page = await fetchPage(request(`${url}/v1/statement`, { agent, method: 'POST', headers }).end(sql));
    for (;;) {
      yield page;
      if (page.nextUri === undefined) break;
      page = await fetchPage(request(page.nextUri, { agent, headers }).end());
    }
    if (!page.bytes.includes('"state":"FINISHED"')) throw new Error(`The statement failed: ${page.bytes}`);
  } finally {
    agent.destroy();
  }
}

async function fetchPage(sent: ReturnType<typeof request>): Promise<RawPage> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  if (response.statusCode !== 200) throw new Error(`The server returned ${response.statusCode}: ${bytes}`);
  const at = bytes.indexOf(NEXT_URI);
  const start = at + NEXT_URI.length;
  return { bytes, nextUri: at === -1 ? undefined : bytes.toString('latin1', start, bytes.indexOf('"', start)) };
}
