import { readFile } from 'node:fs/promises';
import { type HostName, hostsOf, IncompleteResultError } from '@sluice/client';
import { visibleText } from '@sluice/contract/visible-text';
import { defineCommand } from '../../command.ts';
import type { CommandContext } from '../../context.ts';
import { CommandError, NotLoggedInError, UsageError } from '../../errors.ts';

const METHOD = /^[A-Za-z]{1,20}$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/;
/** Hosts accept no larger body; the metadata file is the largest. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

async function readStdin({ terminal: { stdin } }: CommandContext): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk as Buffer | string);
    bytes += part.length;
    if (bytes > BODY_BYTES_MAX) throw new UsageError('--data - must have at most 64 MiB.');
    chunks.push(part);
  }
  return Buffer.concat(chunks);
}

async function readBody(context: CommandContext, data: string | undefined): Promise<string | Uint8Array | undefined> {
  if (data === '-') return await readStdin(context);
  if (data === undefined || !data.startsWith('@')) return data;
  const path = data.slice(1);
  try {
    return await readFile(path);
  } catch (error) {
    const code = error instanceof Error ? String(Reflect.get(error, 'code')) : 'unknown';
    const reason = code === 'ENOENT' ? 'does not exist' : `could not be read (${code})`;
    throw new UsageError(`The file ${path} ${reason}. Check the path.`, { cause: error });
  }
}

function readHeaders(texts: readonly string[]): Readonly<Record<string, string>> {
  const entries = texts.map((text) => {
    const [, name, value] = HEADER.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw new UsageError(`--header must be "Name: value", not "${text}".`);
    return [name.toLowerCase(), value];
  });
  return Object.fromEntries(entries);
}

/** Adds the values of `--query` to a path, percent-encoded. */
function withQuery(path: string, texts: readonly string[]): string {
  const search = new URLSearchParams();
  for (const text of texts) {
    const end = text.indexOf('=');
    if (end < 1) throw new UsageError(`--query must be name=value, not "${text}".`);
    search.append(text.slice(0, end), text.slice(end + 1));
  }
  const added = search.toString();
  return added === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${added}`;
}

function chooseHost(path: string, host: HostName | undefined): HostName {
  if (!path.startsWith('/')) throw new UsageError(`PATH must begin with /, such as /me, not "${path}".`);
  const found = host ?? hostsOf(path)[0];
  if (found === undefined)
    throw new UsageError(`Neither host has an operation at ${path}. Name the host with --host to send it anyway.`);
  return found;
}

async function printBody({ terminal: { stdout }, signal }: CommandContext, response: Response): Promise<void> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let last = '\n';
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      const shown = stdout.isTerminal ? visibleText(decoder.decode(chunk, { stream: true })) : chunk;
      if (typeof shown === 'string') last = shown.at(-1) ?? last;
      await stdout.write(shown);
    }
    // The prompt of the shell begins in a new line.
    if (last !== '\n') await stdout.write('\n');
  } catch (error) {
    if (signal.aborted || !(error instanceof TypeError)) throw error;
    throw new IncompleteResultError('cut', 'The connection ended before the end of the body. Send the request again.', {
      cause: error,
    });
  }
}

export const api = defineCommand({
  name: 'api',
  summary: 'Send a request to a host and print the body of its response',
  description: [
    'The path decides between the two hosts; a path of both, such as `/me`, goes to the API host. The token of the login is added, unless a header `Authorization` or `idtoken` is given. The body is printed as it is, whatever the status, and `--json` changes nothing.',
    'A body is sent as `application/json`, unless a header `Content-Type` is given. Nothing is sent twice.',
  ].join('\n\n'),
  arguments: {
    method: { meaning: 'GET, POST, PUT, DELETE or HEAD.', isRequired: true },
    path: { meaning: 'Path of the operation, percent-encoded, such as /catalog/demo.', isRequired: true },
  },
  options: {
    host: {
      kind: 'text',
      value: 'HOST',
      choices: ['stream', 'api'],
      meaning: 'Host to send it to, instead of the one that has the path.',
    },
    data: {
      kind: 'text',
      value: 'BODY',
      short: 'd',
      completes: 'file',
      meaning: 'Body: a string, @FILE for the content of a file, or - for stdin.',
    },
    header: { kind: 'list', value: 'NAME: VALUE', short: 'H', meaning: 'Header of the request.' },
    query: { kind: 'list', value: 'NAME=VALUE', short: 'q', meaning: 'Parameter of the query string; it is encoded.' },
    include: { kind: 'flag', short: 'i', meaning: 'Print status and headers of the response to stderr.' },
  },
  examples: [
    { command: 'api GET /me', does: 'shows your account' },
    { command: 'api GET /query/history --query size=5', does: 'reads from the stream host' },
    { command: `api POST /datamap/search --data '{"q": "flights"}'`, does: 'sends a JSON body' },
    { command: 'api GET /catalog --include > catalogs.json', does: 'keeps the body, and shows status and headers' },
  ],
  routes: [],
  exitCodes: [3],
  run: async (context, { arguments: { method, path }, options: { host, data, header, query, include } }) => {
    if (!METHOD.test(method)) throw new UsageError(`METHOD must be a word such as GET, not "${method}".`);
    const verb = method.toUpperCase();
    const target = chooseHost(path, host);
    if (data !== undefined && (verb === 'GET' || verb === 'HEAD'))
      throw new UsageError(`${verb} has no body. Use --query for parameters, or POST.`);
    const headers = readHeaders(header);
    const full = withQuery(path, query);
    const body = await readBody(context, data);
    const { client } = await context.connect();
    const response = await client.request({
      method: verb,
      path: full,
      host: target,
      headers,
      signal: context.signal,
      ...(body === undefined ? {} : { body }),
    });
    if (include) {
      const lines = [...response.headers].map(([name, value]) => `${name}: ${value}`);
      const head = [`${response.status} ${response.statusText}`.trim(), ...lines].join('\n');
      await context.terminal.stderr.write(`${visibleText(head)}\n\n`);
    }
    await printBody(context, response);
    if (response.status === 401)
      throw new NotLoggedInError('The host rejected the credential (status 401). Run `sluice login`.');
    if (response.status >= 300 && response.status < 400)
      throw new CommandError(
        `${verb} ${path} returned status ${response.status}, a redirect, which is not followed. --include shows where it leads.`,
      );
    if (response.status >= 400)
      throw new CommandError(`${verb} ${path} returned status ${response.status}. The body on stdout says why.`);
  },
});
