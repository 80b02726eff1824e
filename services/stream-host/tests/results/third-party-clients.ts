import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Credential } from '@sluice/testkit/requests';

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
  readonly python: PythonClients;
}

type Client = (request: ClientRequest) => Promise<Transfer>;

const headersOf = ({ credential }: ClientRequest) => ({ 'content-type': 'application/json', ...credential });
const encodeBody = ({ sql }: ClientRequest): string => JSON.stringify({ sql });

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
      ...['--silent', '--output', file, '--write-out', '%{http_code}', '--data-binary', encodeBody(request)],
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
    const response = await fetch(request.url, {
      method: 'POST',
      headers: headersOf(request),
      body: encodeBody(request),
    });
    status = response.status;
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    return { status, text, failure: undefined };
  } catch (thrown) {
    return { status, text, failure: (thrown as Error).name };
  }
}

const PYTHON = `
import http.client, json, sys, threading, urllib.error, urllib.parse, urllib.request
printing = threading.Lock()

def transfer(number, client, url, headers, body, path):
    status, read, failure = 0, b"", None
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
        status = response.status
        read = response.read()
    except http.client.IncompleteRead as thrown:
        read, failure = thrown.partial, type(thrown).__name__
    except Exception as thrown:
        failure = type(thrown).__name__
    with open(path, "wb") as file:
        file.write(read)
    with printing:
        print(json.dumps([number, status, failure]), flush=True)

for line in sys.stdin:
    threading.Thread(target=transfer, args=json.loads(line), daemon=True).start()
`;

type PythonTransfer = Pick<Transfer, 'status' | 'failure'>;

interface Pending {
  readonly resolve: (transfer: PythonTransfer) => void;
  readonly reject: (error: Error) => void;
}

/** Python's HTTP clients, in one process for many transfers at the same time. */
export class PythonClients implements Disposable {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #pending = new Map<number, Pending>();
  #transfers = 0;

  constructor() {
    this.#child = spawn('python3', ['-c', PYTHON], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface(this.#child.stdout).on('line', (line) => {
      const [number, status, failure] = JSON.parse(line) as [number, number, string | null];
      this.#pending.get(number)?.resolve({ status, failure: failure ?? undefined });
      this.#pending.delete(number);
    });
    this.#child.once('exit', (code) => {
      for (const { reject } of this.#pending.values()) reject(new Error(`Python exited with ${code}`));
    });
  }

  /** Sends a request with one of the clients and writes the response's body to `file`. Rejects when Python itself fails. */
  transfer(client: string, request: ClientRequest, file: string): Promise<PythonTransfer> {
    const number = this.#transfers++;
    const args = [number, client, request.url, headersOf(request), encodeBody(request), file];
    return new Promise((resolve, reject) => {
      this.#pending.set(number, { resolve, reject });
      this.#child.stdin.write(`${JSON.stringify(args)}\n`);
    });
  }

  [Symbol.dispose](): void {
    this.#child.stdin.end();
  }
}

const byPython =
  (client: string): Client =>
  async (request) => {
    const [transfer, text] = await withFile((file) => request.python.transfer(client, request, file));
    return { ...transfer, text };
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
