import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Credential } from '../client/requests.ts';

/** Outcome of a transfer with a third-party HTTP client. */
export interface Transfer {
  /** 0 without any response. */
  readonly status: number;
  readonly text: string;
  /** The client's report of a failed transfer: an exit code, or the name of the error that it throws. */
  readonly failure: string | undefined;
}

interface ClientRequest {
  readonly url: string;
  readonly sql: string;
  readonly credential: Credential;
}

type Client = (request: ClientRequest) => Promise<Transfer>;

const headersOf = ({ credential }: ClientRequest) => ({ 'content-type': 'application/json', ...credential });
const bodyOf = ({ sql }: ClientRequest): string => JSON.stringify({ sql });

const run = (command: string, args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string }> =>
  new Promise((resolve) => {
    execFile(command, args, (error, stdout) => resolve({ code: error === null ? 0 : Number(error.code), stdout }));
  });

/** Calls `work` with the path of a temporary file and returns the content of the file. */
async function withFile<T>(work: (file: string) => Promise<T>): Promise<readonly [T, string]> {
  const file = join(tmpdir(), `sluice-transfer-${randomUUID()}`);
  try {
    return [await work(file), await readFile(file, 'utf8').catch(() => '')];
  } finally {
    await rm(file, { force: true });
  }
}

async function byCurl(request: ClientRequest): Promise<Transfer> {
  const headers = Object.entries(headersOf(request)).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
  const [{ code, stdout }, text] = await withFile((file) =>
    run('curl', [
      ...['--silent', '--output', file, '--write-out', '%{http_code}', '--data-binary', bodyOf(request)],
      ...headers,
      request.url,
    ]),
  );
  return { status: Number(stdout), text, failure: code === 0 ? undefined : `exit code ${code}` };
}

/** Uses fetch of Node.js, which is undici. */
async function byFetch(request: ClientRequest): Promise<Transfer> {
  const decoder = new TextDecoder();
  let status = 0;
  let text = '';
  try {
    const response = await fetch(request.url, { method: 'POST', headers: headersOf(request), body: bodyOf(request) });
    status = response.status;
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    return { status, text, failure: undefined };
  } catch (thrown) {
    return { status, text, failure: (thrown as Error).name };
  }
}

const PYTHON = `
import http.client, json, sys, urllib.error, urllib.parse, urllib.request
client, url, headers, body, path = sys.argv[1:]
headers, status = json.loads(headers), 0
try:
    if client == "http.client":
        parts = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(parts.netloc)
        connection.request("POST", parts.path, body.encode(), headers)
        response = connection.getresponse()
    else:
        try:
            response = urllib.request.urlopen(urllib.request.Request(url, body.encode(), headers))
        except urllib.error.HTTPError as refused:
            response = refused
    status, read, failure = response.status, b"", None
    read = response.read()
except http.client.IncompleteRead as thrown:
    read, failure = thrown.partial, type(thrown).__name__
except OSError as thrown:
    read, failure = b"", type(thrown).__name__
with open(path, "wb") as file:
    file.write(read)
print(json.dumps([status, failure]))
`;

const byPython =
  (client: string): Client =>
  async (request) => {
    const headers = JSON.stringify(headersOf(request));
    const [{ stdout }, text] = await withFile((file) =>
      run('python3', ['-c', PYTHON, client, request.url, headers, bodyOf(request), file]),
    );
    const [status, failure] = JSON.parse(stdout) as [number, string | null];
    return { status, text, failure: failure ?? undefined };
  };

/** Clients by name. */
export const CLIENTS: ReadonlyMap<string, Client> = new Map([
  ['curl', byCurl],
  ['fetch', byFetch],
  ['Python’s http.client', byPython('http.client')],
  ['Python’s urllib', byPython('urllib')],
]);

/** Reports of the clients for a truncated body and for a connection that is lost before the response. */
export const FAILURES = /^(?:exit code (?:18|52|56)|TypeError|IncompleteRead|RemoteDisconnected|ConnectionResetError)$/;
